// Against the definition, instruction by instruction, on random methods; and on large ones, whose
// answers must not take a quadratic time.
#include "runtime/execute/opaque_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

// The values that an instruction lists, items of lists included, and of these the ones that it
// overwrites: the methods below know one operator with a schema, aten::add.out, and moves.
struct Touches {
  std::set<int32_t> listed;
  std::set<int32_t> overwritten;
};

std::vector<int32_t> TensorsOf(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return {v};
  if (value.kind != ValueKind::kTensorList) return {};
  const auto items = method.Ints(value.items);
  return {items.begin(), items.end()};
}

Touches TouchesOf(const Method& method, const Instruction& instruction) {
  Touches touches;
  std::vector<int32_t> direct;
  if (instruction.kind == InstructionKind::kMove) direct = {instruction.target, instruction.other};
  if (instruction.kind == InstructionKind::kJumpFalse) direct = {instruction.target};
  for (const int32_t v : method.Ints(instruction.args)) direct.push_back(v);
  for (const int32_t v : direct) {
    touches.listed.insert(v);
    for (const int32_t t : TensorsOf(method, v)) touches.listed.insert(t);
  }
  if (instruction.kind == InstructionKind::kMove && instruction.target != instruction.other) {
    touches.overwritten.insert(instruction.other);
  }
  const bool adds = instruction.kind == InstructionKind::kKernelCall &&
                    method.operators[static_cast<size_t>(instruction.target)].schema != nullptr;
  if (adds && direct[3] != direct[0] && direct[3] != direct[1]) {
    touches.overwritten.insert(direct[3]);
  }
  return touches;
}

// By the definition, with sets, for a method without jumps.
class ByDefinition {
 public:
  explicit ByDefinition(const Method& method) : method_(method) {
    for (const Instruction& each : method.instructions) {
      touches_.push_back(TouchesOf(method, each));
    }
  }

  // How many arguments of the delegate call are operands.
  [[nodiscard]] size_t OperandsAt(size_t i) const {
    const auto args = method_.Ints(method_.instructions[i].args);
    size_t begin = 0;  // of those that are numbered in one go
    for (size_t a = 1; a < args.size(); ++a) {
      const int32_t highest = *std::max_element(args.begin(), args.begin() + ptrdiff_t(a));
      if (args[a] < highest) begin = a + 1;
      if (args[a] > highest + 1) begin = a;
    }
    size_t first = args.size();
    while (first > begin && !IsOlder(i, args[first - 1])) --first;
    return first;
  }

 private:
  [[nodiscard]] bool HoldsBefore(size_t i, int32_t v) const {
    if (v < *std::ranges::min_element(method_.inputs)) return true;
    if (std::ranges::count(method_.inputs, v) > 0) return true;
    return std::any_of(touches_.begin(), touches_.begin() + ptrdiff_t(i),
                       [&](const Touches& each) { return each.listed.contains(v); });
  }

  [[nodiscard]] bool IsOlder(size_t i, int32_t v) const {
    if (HoldsBefore(i, v)) return true;
    const Tensor& t = *method_.TensorOf(v);
    bool passed = false;
    for (size_t j = 0; j < i; ++j) {
      passed |= !touches_[j].listed.empty() && v < *touches_[j].listed.rbegin();
    }
    for (int32_t u = 0; u < static_cast<int32_t>(method_.values.size()); ++u) {
      const Tensor* other = method_.TensorOf(u);
      const bool alike = other != nullptr && other->bank == t.bank && other->offset == t.offset &&
                         other->nbytes == t.nbytes && other->dtype == t.dtype;
      if (!alike || u == v || !HoldsBefore(i, u)) continue;
      if ((passed || IsReadAfter(i, u)) && IsMadeBefore(i, u)) return true;
    }
    return false;
  }

  [[nodiscard]] bool IsReadAfter(size_t i, int32_t u) const {
    for (size_t j = i + 1; j < touches_.size(); ++j) {
      if (touches_[j].overwritten.contains(u)) return false;
      if (touches_[j].listed.contains(u)) return true;
    }
    const bool is_buffer = u < *std::ranges::min_element(method_.inputs);  // read by the next call
    return is_buffer || std::ranges::count(method_.outputs, u) > 0;
  }

  [[nodiscard]] bool IsMadeBefore(size_t i, int32_t u) const {
    const auto makes = [&](const Touches& each) { return each.overwritten.contains(u); };
    return HoldsBefore(0, u) || std::ranges::none_of(touches_, makes) ||
           std::any_of(touches_.begin(), touches_.begin() + ptrdiff_t(i), makes);
  }

  const Method& method_;
  std::vector<Touches> touches_;
};

Method RandomMethod(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](size_t count) { return random() % count; };
  MethodBuilder b;
  std::vector<int32_t> tensors;
  for (int n = 0; n < 14; ++n) {
    tensors.push_back(b.Planned(1, 16 * below(3), {4}));
    if (n == 1) b.Input(tensors.back());
  }
  const auto any = [&] { return tensors[below(tensors.size())]; };
  std::vector<int32_t> lists;
  for (int n = 0; n < 3; ++n) lists.push_back(b.TensorList({any(), any(), any()}));
  const int32_t one = b.Int(1);
  for (int n = 0; n < 14; ++n) {
    switch (below(5)) {
      case 0:
        b.Move(any(), any());
        break;
      case 1: {
        const int32_t out = any();
        b.Call("aten::add.out", {any(), any(), one, out, out});
        break;
      }
      case 2:
        b.Call("my::join.out", {lists[below(3)], any(), any()});
        break;
      default: {
        std::vector<int32_t> args = {any()};
        const size_t from = below(tensors.size() - 3);
        for (size_t a = from; a < from + 1 + below(3); ++a) args.push_back(tensors[a]);
        b.Delegate(args);
      }
    }
  }
  b.Output(any());
  return b.Build();
}

TEST(OpaqueCalls, OfDelegatesAreThoseOfTheDefinition) {
  int results = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const Method method = RandomMethod(seed);
    const OpaqueCalls calls(method);
    const ByDefinition expected(method);
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      if (method.instructions[i].kind != InstructionKind::kDelegateCall) continue;
      const OpaqueCall call = calls.At(static_cast<int32_t>(i));
      ASSERT_EQ(call.operands.size(), expected.OperandsAt(i)) << "seed " << seed << " at " << i;
      results += static_cast<int>(call.results.size());
    }
  }
  EXPECT_GT(results, 500);
}

TEST(OpaqueCalls, TakeTheLastOperandOfTheResultsPlace) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  b.Input(in);
  const int32_t first = b.Planned(1, 16, {4});
  const int32_t again = b.Planned(1, 16, {4});
  const int32_t slot = b.Planned(1, 16, {4});
  const int32_t other = b.Planned(1, 32, {4});
  const int32_t results = b.TensorList({slot, other, slot});
  b.Call("my::fuse.out", {in, first, again, results});
  const OpaqueCall call = OpaqueCalls(b.method()).At(0);
  EXPECT_THAT(call.results, ElementsAre(again, other));
  EXPECT_THAT(call.returned, ElementsAre(Pair(slot, again), Pair(slot, again)));
  EXPECT_THAT(call.operands, ElementsAre(in, first));
}

// One call with as many results as operands, of one place each.
TEST(OpaqueCalls, WithManyOperandsAndResultsAreQuick) {
  constexpr int kMany = 20'000;
  MethodBuilder b;
  std::vector<int32_t> args = {b.Planned(1, 0, {4})};
  b.Input(args.front());
  std::vector<int32_t> items;
  for (int n = 0; n < kMany; ++n) args.push_back(b.Planned(1, 16 + 16 * uint64_t(n), {4}));
  for (int n = 0; n < kMany; ++n) items.push_back(b.Planned(1, 16 + 16 * uint64_t(n), {4}));
  args.push_back(b.TensorList(items));
  b.Call("my::fuse.out", args);
  const OpaqueCall call = OpaqueCalls(b.method()).At(0);
  EXPECT_THAT(call.results, SizeIs(kMany));
  EXPECT_THAT(call.returned, SizeIs(kMany));
}

// Delegates whose arguments all lie at one place, so that each may be a view of each.
Method ManyDelegates(int count, bool jumps) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  b.Input(in);
  const int32_t flag = b.Planned(1, 64, {1}, {}, ScalarType::kBool);
  b.Input(flag);
  for (int n = 0; n < count; ++n) {
    if (jumps) b.JumpFalse(flag, n % 7 == 0 ? std::max(0, b.Next() - 20) : b.Next() + 1);
    b.Delegate({in, b.Planned(1, 16, {4}), b.Planned(1, 16, {4})});
  }
  return b.Build();
}

TEST(OpaqueCalls, OfManyDelegatesAtOnePlaceAreQuick) {
  for (const bool jumps : {false, true}) {
    const Method method = ManyDelegates(8000, jumps);
    const OpaqueCalls calls(method);
    size_t results = 0;
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      if (method.instructions[i].kind != InstructionKind::kDelegateCall) continue;
      results += calls.At(static_cast<int32_t>(i)).results.size();
    }
    EXPECT_EQ(results, 16'000U) << jumps;
  }
}

// Many calls that list one list.
TEST(OpaqueCalls, DoNotCopyAListForEachCall) {
  constexpr int kMany = 10'000;
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4});
  b.Input(in);
  std::vector<int32_t> items;
  for (int n = 0; n < kMany; ++n) items.push_back(b.Planned(1, 16, {4}));
  const int32_t list = b.TensorList(items);
  for (int n = 0; n < kMany; ++n) b.Call("my::read", {list, in});
  b.Delegate({in, b.Planned(1, 16, {4})});
  const OpaqueCalls calls(b.method());
  // The result is numbered above all others, and none of them is read again.
  EXPECT_THAT(calls.At(kMany).results, SizeIs(1));
}

}  // namespace
}  // namespace pteproof
