// Against the definition, instruction by instruction, on random methods; and on large ones, whose
// answers must not take a quadratic time.
#include "meaning/delegate_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "meaning/effects.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

// By the definition, with sets, for a method without jumps whose operators are aten::add.out and
// aten::cat.out.
class ByDefinition {
 public:
  ByDefinition(const Method& method, bool numbers_tell) : method_(method), tells_(numbers_tell) {
    lowest_input_ = *std::ranges::min_element(method.inputs);
    for (size_t i = 0; i < method.instructions.size(); ++i) Note(method.instructions[i]);
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& each = method.instructions[i];
      const auto args = method.Ints(each.args);
      if (each.kind == InstructionKind::kDelegateCall) {
        operands_.push_back(OperandsAt(i));
        const std::set<int32_t> made(args.begin() + ptrdiff_t(operands_.back()), args.end());
        const std::set<int32_t> read(args.begin(), args.begin() + ptrdiff_t(operands_.back()));
        for (const int32_t v : made) {
          if (!read.contains(v)) Make(touches_[i], v);
          defined_.insert(v);
        }
      }
      defined_.insert(touches_[i].named.begin(), touches_[i].named.end());
    }
  }

  // Of each delegate call: how many arguments are operands.
  [[nodiscard]] const std::vector<size_t>& operands() const { return operands_; }

 private:
  struct Touches {
    int32_t highest = -1;  // of the values that the instruction lists itself
    std::set<int32_t> read;
    std::set<int32_t> overwritten;
    std::set<int32_t> named;  // made, or given another name
  };

  static void Make(Touches& touches, int32_t v) {
    touches.read.erase(v);
    touches.overwritten.insert(v);
  }

  void Note(const Instruction& instruction) {
    Touches& touches = touches_.emplace_back();
    if (instruction.kind == InstructionKind::kMove) {
      touches = {std::max(instruction.target, instruction.other),
                 {instruction.target},
                 {instruction.other},
                 {instruction.other}};
      return;
    }
    const auto args = method_.Ints(instruction.args);
    touches.highest = *std::ranges::max_element(args);
    const bool is_kernel = instruction.kind == InstructionKind::kKernelCall;
    const auto operands = is_kernel ? args.first(args.size() - 2) : args;
    for (const int32_t v : operands) {
      const auto items = method_.Ints(method_.values[static_cast<size_t>(v)].items);
      if (method_.TensorOf(v) != nullptr) touches.read.insert(v);
      touches.read.insert(items.begin(), items.end());
    }
    if (!is_kernel) return;
    touches.overwritten.insert(args.back());
    touches.named.insert(args.back());
  }

  [[nodiscard]] size_t OperandsAt(size_t i) const {
    const auto args = method_.Ints(method_.instructions[i].args);
    size_t begin = 0;  // of those that are numbered in one go
    for (size_t a = 1; a < args.size() && tells_; ++a) {
      const int32_t highest = *std::max_element(args.begin(), args.begin() + ptrdiff_t(a));
      if (args[a] < highest) begin = a + 1;
      if (args[a] > highest + 1) begin = a;
    }
    size_t first = args.size();
    while (first > begin && !IsThere(i, args[first - 1])) --first;
    return first;
  }

  [[nodiscard]] bool IsAtEntry(int32_t v) const {
    return std::ranges::count(method_.inputs, v) > 0 || (tells_ && v < lowest_input_);
  }

  [[nodiscard]] bool IsKnown(int32_t v) const { return IsAtEntry(v) || defined_.contains(v); }

  [[nodiscard]] bool IsThere(size_t i, int32_t v) const {
    if (IsKnown(v)) return true;
    bool passed = false;
    for (size_t j = 0; j < i; ++j) passed |= tells_ && v < touches_[j].highest;
    const Tensor& t = *method_.TensorOf(v);
    for (int32_t u = 0; u < static_cast<int32_t>(method_.values.size()); ++u) {
      const Tensor* other = method_.TensorOf(u);
      const bool alike = other != nullptr && other->bank == t.bank && other->offset == t.offset;
      if (!alike || u == v || !IsKnown(u)) continue;
      if ((passed || IsReadAfter(i, u)) && IsMadeBefore(i, u)) return true;
    }
    return false;
  }

  [[nodiscard]] bool IsReadAfter(size_t i, int32_t u) const {
    for (size_t j = i + 1; j < touches_.size(); ++j) {
      if (touches_[j].read.contains(u)) return true;
      if (touches_[j].overwritten.contains(u)) return false;
    }
    const bool is_output = std::ranges::count(method_.outputs, u) > 0;
    const bool is_input = std::ranges::count(method_.inputs, u) > 0;
    return is_output || (IsAtEntry(u) && !is_input);
  }

  [[nodiscard]] bool IsMadeBefore(size_t i, int32_t u) const {
    const auto makes = [&](const Touches& each) { return each.overwritten.contains(u); };
    return IsAtEntry(u) || std::ranges::none_of(touches_, makes) ||
           std::any_of(touches_.begin(), touches_.begin() + ptrdiff_t(i), makes);
  }

  const Method& method_;
  bool tells_;
  int32_t lowest_input_ = 0;
  std::vector<Touches> touches_;
  std::set<int32_t> defined_;  // by the instructions so far
  std::vector<size_t> operands_;
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
    const int32_t out = any();
    switch (below(5)) {
      case 0:
        b.Move(any(), out);
        break;
      case 1:
        b.Call("aten::add.out", {any(), any(), one, out, out});
        break;
      case 2:
        b.Call("aten::cat.out", {lists[below(3)], one, out, out});
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

// The operands that effects have: without them a tensor is written and not read.
std::vector<size_t> OperandsIn(const Method& method, const Effects& effects) {
  std::vector<size_t> operands;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    if (method.instructions[i].kind != InstructionKind::kDelegateCall) continue;
    operands.push_back(effects.ReadsOf(i).size());
  }
  return operands;
}

TEST(DelegateResults, AreThoseOfTheDefinition) {
  size_t results = 0;
  for (uint32_t seed = 0; seed < 6000; ++seed) {
    const Numbers numbers = seed % 2 == 0 ? Numbers::kTell : Numbers::kTellNothing;
    const Method method = RandomMethod(seed);
    const Effects effects = EffectsOf(method, nullptr, nullptr, numbers);
    const ByDefinition expected(method, numbers == Numbers::kTell);
    ASSERT_EQ(OperandsIn(method, effects), expected.operands()) << "seed " << seed;
    results += effects.writes.size();
  }
  EXPECT_GT(results, 10'000U);
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

TEST(DelegateResults, OfManyDelegatesAtOnePlaceAreQuick) {
  for (const bool jumps : {false, true}) {
    const Method method = ManyDelegates(8000, jumps);
    EXPECT_EQ(EffectsOf(method, nullptr).writes.size(), 16'000U) << jumps;
  }
}

}  // namespace
}  // namespace pteproof::meaning
