// What values hold when an instruction is run: the kind of a number, its range, and the tensor or
// the list that a name stands for after moves. Kinds are those at run time: a sum replaces the
// integer of the file by a float if an operand is one.
//
// Idea: an abstract run over all paths. What paths bring to one block is joined; what a jump back
// makes larger is without bounds at once, so that each value changes a few times only. The first
// round of a loop is looked at apart: it is run whenever the loop is.
//
//   v1 = 0 [0,0]     loop: v1 in [0,max], in the first round [0,0]     v1 = v1 + 1     jump to loop
//
// A tensor that a kernel returns under a second name, its return slot, leaves that name as it was:
// ExecuTorch's kernels do.
//
// Invariant: a value that no instruction replaces holds what the file says, but for numbers that
// the caller brings.
//
// Cost: O(instructions + blocks * values that are replaced), some times over; beyond a limit on
// this work nothing is known.
#ifndef PTEPROOF_PROPERTIES_RULES_HELD_NUMBERS_H_
#define PTEPROOF_PROPERTIES_RULES_HELD_NUMBERS_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// Kinds of value, one bit each.
using Kinds = uint16_t;
[[nodiscard]] constexpr Kinds KindBit(ValueKind kind) {
  return static_cast<Kinds>(1U << static_cast<unsigned>(kind));
}
inline constexpr Kinds kIntBit = KindBit(ValueKind::kInt);
inline constexpr Kinds kBoolBit = KindBit(ValueKind::kBool);
inline constexpr Kinds kDoubleBit = KindBit(ValueKind::kDouble);
inline constexpr Kinds kNumberBits = kIntBit | kBoolBit | kDoubleBit;

struct IntRange {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();

  friend bool operator==(const IntRange&, const IntRange&) = default;
  [[nodiscard]] bool IsOne() const { return least == most; }
  [[nodiscard]] bool Has(int64_t number) const { return least <= number && number <= most; }
};

struct HeldValue {
  Kinds kinds = 0;         // one of these
  IntRange range;          // of an integer, or of a Bool (0, 1)
  int32_t stands_for = 0;  // the value whose content it names; -1: one of several

  friend bool operator==(const HeldValue&, const HeldValue&) = default;
  [[nodiscard]] bool IsOnly(Kinds some) const { return (kinds & ~some) == 0; }
  [[nodiscard]] bool MayBe(Kinds some) const { return (kinds & some) != 0; }
};

// What all values hold at one point.
class HeldNumbers {
 public:
  explicit HeldNumbers(const MethodFlow& flow);

  [[nodiscard]] HeldValue At(int32_t v) const {
    const int32_t slot = slot_of_[static_cast<size_t>(v)];
    return slot < 0 ? InFile(v) : slots_[static_cast<size_t>(slot)];
  }

  // Goes on over one instruction.
  void Run(const Instruction& at);

  // Calls judge(i, held) for each instruction that is reached, with what values hold before it, on
  // all paths or in the first round of a loop; one instruction perhaps twice, one after the other.
  // False: the control flow is beyond the limit on work, and nothing was judged.
  template <class Judge>
  [[nodiscard]] bool ForEach(Judge judge) {
    if (!FindStates()) return false;
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (before_[b].empty() && !slot_values_.empty()) continue;
      if (!flow_.graph.blocks[b].reachable) continue;
      const Block& block = flow_.graph.blocks[b];
      for (const bool first : {true, false}) {
        const Slots& state = first ? first_round_[b] : before_[b];
        if (first && state.empty()) continue;
        slots_ = state;
        for (int32_t i = block.begin; i < block.end; ++i) {
          judge(i, *this);
          Run(method_.instructions[static_cast<size_t>(i)]);
        }
      }
    }
    return true;
  }

 private:
  using Slots = std::vector<HeldValue>;

  void NoteReplaced();
  void Replaces(int32_t v);
  [[nodiscard]] HeldValue InFile(int32_t v) const;
  void Set(int32_t v, const HeldValue& held) {
    const int32_t slot = slot_of_[static_cast<size_t>(v)];
    if (slot >= 0) slots_[static_cast<size_t>(slot)] = held;
  }
  void Call(const Instruction& at);
  [[nodiscard]] HeldValue OfTensor(const Operator& op, std::span<const int32_t> args) const;
  [[nodiscard]] Slots FirstSlots() const;
  [[nodiscard]] bool FindStates();
  void FindFirstRounds();
  [[nodiscard]] static bool Join(Slots& into, const Slots& from, bool goes_back);

  const MethodFlow flow_;
  const Method& method_;
  std::vector<int32_t> slot_of_;      // by value: its place in a state, or -1: nothing replaces it
  std::vector<int32_t> slot_values_;  // by place
  std::vector<bool> is_input_;        // by value
  Slots slots_;                       // at hand
  std::vector<Slots> before_;         // by block; empty: no path leads to it
  std::vector<Slots> first_round_;    // by block that a jump leads back to; else empty
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_HELD_NUMBERS_H_
