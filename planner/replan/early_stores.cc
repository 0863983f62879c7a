// Idea. An exporter puts all stores behind everything else, so that each new value of a buffer
// stays alive until the end. A store may come as soon as its value is made and the buffer's old
// contents are not needed any more:
//
//   0: new = index_put(cache, ...)         0: new = index_put(cache, ...)
//   1: y = attend(new)                     3: cache.copy_(new)
//   2: z = norm(y)                         1: y = attend(new)           the last need of `new`
//   3: cache.copy_(new)                    2: z = norm(y)               takes its bytes
//
// Invariant: two instructions of which one writes bytes that the other reads or writes stay in
// their order. So each reads what it read, at the places of the old plan. A moved store uses no
// value that is numbered behind the one that it stores, since numbers tell when values were made:
// its literals are equal ones from further ahead. Cost: O(n log n) in instructions, arguments,
// literals and pieces of the banks.
#include "planner/replan/early_stores.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "planner/lift/renumber.h"
#include "planner/lift/webs.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

constexpr std::string_view kCopyOperator = "aten::copy_";

// Numbers, flags and none, by what they are.
std::optional<std::tuple<ValueKind, int64_t, uint64_t>> LiteralOf(const Value& value) {
  switch (value.kind) {
    case ValueKind::kNull:
    case ValueKind::kInt:
    case ValueKind::kBool:
    case ValueKind::kDouble:
      return std::tuple{value.kind, value.integer, std::bit_cast<uint64_t>(value.real)};
    default:
      return std::nullopt;
  }
}

class StoreMover {
 public:
  StoreMover(const Method& method, const MethodWebs& webs)
      : method_(method), touches_(webs.touches), is_state_(method.values.size()) {
    for (const int32_t v : webs.stateful) is_state_[IndexOf(v)] = true;
    is_target_.resize(method.instructions.size() + 1);
    for (const Jump& jump : touches_.jumps) is_target_[IndexOf(jump.target)] = true;
  }

  // Empty: no store moves. `method`: gets their arguments.
  std::vector<int32_t> Go(Method& method) {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    std::vector<int32_t> comes_at(method_.instructions.size());  // ahead of what was there
    std::iota(comes_at.begin(), comes_at.end(), 0);
    bool moves = false;
    for (int32_t i = 0; i < count; ++i) {
      if (is_target_[IndexOf(i)]) start_ = i;
      const int32_t earliest = IsStore(i) ? EarliestOf(i) : i;
      if (earliest < i && SetArguments(i, method)) {
        comes_at[IndexOf(i)] = earliest;
        moves = true;
      }
      Note(i);
      const InstructionKind kind = method_.instructions[IndexOf(i)].kind;
      const bool calls =
          kind == InstructionKind::kKernelCall || kind == InstructionKind::kDelegateCall;
      if (!calls) start_ = i + 1;
    }
    if (!moves) return {};
    return Numbers(comes_at);
  }

 private:
  // A copy of one planned value into another one, which is state.
  [[nodiscard]] bool IsStore(int32_t i) const {
    const Instruction& call = method_.instructions[IndexOf(i)];
    if (call.kind != InstructionKind::kKernelCall || call.args.count < 2) return false;
    if (method_.operators[IndexOf(call.target)].name != kCopyOperator) return false;
    const auto args = method_.Ints(call.args);
    const Touch& touch = touches_.of_instruction[IndexOf(i)];
    const bool is_plain = touch.fills == std::vector<int32_t>{args[0]} &&
                          touch.reads == std::vector<int32_t>{args[1]} && touch.updates.empty() &&
                          touch.may_read.empty() && touch.moves.empty();
    return is_plain && is_state_[IndexOf(args[0])];
  }

  // Behind the last instruction that touches what the store writes, or that writes what it reads.
  [[nodiscard]] int32_t EarliestOf(int32_t i) const {
    const Touch& touch = touches_.of_instruction[IndexOf(i)];
    int32_t last = start_ - 1;
    const auto follow = [&](int32_t v, const ByteOwners& by) {
      by.ForEach(BytesOf(method_, v), [&](uint64_t, uint64_t, const ByteOwners::Owners& owners) {
        last = std::max(last, owners.back());
      });
    };
    if (!Planted(Defect::kStoreOverLastReader)) follow(touch.fills.front(), touched_);
    follow(touch.reads.front(), written_);
    return last + 1;
  }

  // False: a literal has no equal ahead of the value that is stored.
  bool SetArguments(int32_t i, Method& method) {
    const Range old = method_.instructions[IndexOf(i)].args;
    const int32_t stored = touches_.of_instruction[IndexOf(i)].reads.front();
    std::vector<int32_t> args;
    for (const int32_t arg : method_.Ints(old)) {
      args.push_back(arg > stored ? EqualAhead(arg, stored) : arg);
    }
    if (std::ranges::count(args, -1) > 0) return false;
    if (std::ranges::equal(args, method_.Ints(old))) return true;
    method.instructions[IndexOf(i)].args = {static_cast<uint32_t>(method.ints.size()), old.count};
    method.ints.insert(method.ints.end(), args.begin(), args.end());
    return true;
  }

  // The last literal ahead of value `end` that is what `v` is; -1: none.
  int32_t EqualAhead(int32_t v, int32_t end) {
    if (literals_.empty()) {
      for (size_t n = 0; n < method_.values.size(); ++n) {
        const auto literal = LiteralOf(method_.values[n]);
        if (literal) literals_[*literal].push_back(static_cast<int32_t>(n));
      }
    }
    const auto literal = LiteralOf(method_.values[IndexOf(v)]);
    if (!literal) return -1;
    const std::vector<int32_t>& equal = literals_[*literal];
    const auto behind = std::ranges::lower_bound(equal, end);
    return behind == equal.begin() ? -1 : *(behind - 1);
  }

  void Note(int32_t i) {
    const Touch& touch = touches_.of_instruction[IndexOf(i)];
    for (const auto* read : {&touch.reads, &touch.may_read, &touch.moves}) {
      for (const int32_t v : *read) touched_.Fill(BytesOf(method_, v), i);
    }
    for (const auto* written : {&touch.fills, &touch.updates}) {
      for (const int32_t v : *written) {
        touched_.Fill(BytesOf(method_, v), i);
        written_.Fill(BytesOf(method_, v), i);
      }
    }
  }

  // What moves ahead of an instruction comes before it, in the old order.
  static std::vector<int32_t> Numbers(const std::vector<int32_t>& comes_at) {
    std::vector<int32_t> order(comes_at.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int32_t i) {
      const int32_t at = comes_at[IndexOf(i)];
      return std::pair{at, at == i};
    });
    return Inverse(order);
  }

  const Method& method_;
  const MethodTouches& touches_;
  std::vector<bool> is_state_;
  std::vector<bool> is_target_;
  int32_t start_ = 0;   // of the straight code
  ByteOwners touched_;  // by which instruction last
  ByteOwners written_;
  std::map<std::tuple<ValueKind, int64_t, uint64_t>, std::vector<int32_t>> literals_;  // ascending
};

}  // namespace

bool EarlyStores::moves() const {
  return std::ranges::any_of(now_at, [](const auto& method) { return !method.empty(); });
}

EarlyStores StoreEarly(const Program& program, std::span<const MethodWebs> webs) {
  EarlyStores early = {program, {}};
  for (size_t m = 0; m < webs.size(); ++m) {
    Method& method = early.program.methods[m];
    const auto& now_at =
        early.now_at.emplace_back(StoreMover(program.methods[m], webs[m]).Go(method));
    if (now_at.empty()) continue;
    const std::vector<Instruction> old = method.instructions;  // with the arguments of now
    for (size_t i = 0; i < old.size(); ++i) method.instructions[IndexOf(now_at[i])] = old[i];
  }
  return early;
}

}  // namespace pteproof::planner
