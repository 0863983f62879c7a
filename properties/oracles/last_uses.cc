// Idea: the last instruction that lists a value, or before which a name is born of it, moved to the
// end of the loops around it.
//
//   0: v3 = mul(v1, v1)     v4, a view of v3, is born before 1: v3 is used here
//   1: v5 = add(v4, v1)
//   2: v6 = mul(v5, v2)
//   3: jump to 2 if not v7  v2, v5 and v6 are used until here
//
// Invariant: no later instruction, on any path, reads the value. Ranges of jumps back that overlap
// count as one loop. Cost: O(n log n).
#include "properties/oracles/last_uses.h"

#include <algorithm>
#include <utility>

namespace pteproof {
namespace {

class LastUseFinder {
 public:
  explicit LastUseFinder(const meaning::MethodMeaning& meant)
      : meant_(meant), method_(*meant.method), last_(meant.method->values.size(), -1) {}

  LastUses Find() {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (int32_t i = 0; i < count; ++i) Use(method_.instructions[static_cast<size_t>(i)], i);
    for (const int32_t v : method_.outputs) UseListed(v, count);
    for (const auto* births : {&meant_.aliases.transfers, &meant_.aliases.lost}) {
      for (const meaning::Transfer& t : *births) {
        for (const int32_t v : meant_.aliases.SourcesOf(t)) {
          Last(v) = std::max(Last(v), t.instruction);
        }
      }
    }
    StayToLoopEnds();
    LastUses uses = {std::move(last_), {}};
    uses.at.resize(method_.instructions.size());
    for (size_t v = 0; v < uses.of.size(); ++v) {
      const int32_t last = std::max(uses.of[v], 0);
      if (last < count) uses.at[static_cast<size_t>(last)].push_back(static_cast<int32_t>(v));
    }
    return uses;
  }

 private:
  int32_t& Last(int32_t v) { return last_[static_cast<size_t>(v)]; }

  void UseListed(int32_t v, int32_t at) {
    Last(v) = std::max(Last(v), at);
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor || !IsTensorLike(value.kind)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0) Last(item) = std::max(Last(item), at);
    }
  }

  void Use(const Instruction& instruction, int32_t at) {
    const bool moves = instruction.kind == InstructionKind::kMove;
    if (moves || instruction.kind == InstructionKind::kJumpFalse) {
      UseListed(instruction.target, at);
    }
    if (moves) UseListed(instruction.other, at);
    for (const int32_t v : method_.Ints(instruction.args)) UseListed(v, at);
  }

  // Ranges [first, last] of instructions that a jump back repeats, joined where they overlap.
  [[nodiscard]] std::vector<std::pair<int32_t, int32_t>> Loops() const {
    std::vector<std::pair<int32_t, int32_t>> jumps;
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const Instruction& jump = method_.instructions[i];
      const auto at = static_cast<int32_t>(i);
      const bool back = jump.kind == InstructionKind::kJumpFalse && jump.other <= at;
      if (back) jumps.emplace_back(jump.other, at);
    }
    std::ranges::sort(jumps);
    std::vector<std::pair<int32_t, int32_t>> loops;
    for (const auto& [first, last] : jumps) {
      if (loops.empty() || first > loops.back().second) {
        loops.emplace_back(first, last);
      } else {
        loops.back().second = std::max(loops.back().second, last);
      }
    }
    return loops;
  }

  void StayToLoopEnds() {
    const auto loops = Loops();
    for (int32_t& last : last_) {
      const auto loop =
          std::ranges::lower_bound(loops, last, {}, &std::pair<int32_t, int32_t>::second);
      if (loop != loops.end() && loop->first <= last) last = loop->second;
    }
  }

  const meaning::MethodMeaning& meant_;
  const Method& method_;
  std::vector<int32_t> last_;
};

}  // namespace

LastUses LastUsesOf(const meaning::MethodMeaning& meant) {
  return LastUseFinder(meant).Find();
}

}  // namespace pteproof
