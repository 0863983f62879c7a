// What a run takes a call for that nobody here can look into: a kernel call of an operator that the
// table does not know, or a delegate call. Under `hash` semantics such a call mixes its operands
// into its results, so a run has to know which arguments are which. Judges nothing.
//
//     fuse.out(v6, v2, v7, v7)            the last value is the return slot: v7 is the result
//     roll_(v3, v1, v3)                   v3 held a value before: it is operand and result
//     delegate 0 (v3, v4, v0, v7, v8)     results come last, and nothing is there before the call
#ifndef PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALLS_H_
#define PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

struct OpaqueCall {
  std::vector<int32_t> operands;  // values of arguments, in their order
  std::vector<int32_t> results;   // tensors, each once
  // Tensors of the return slot that become a result: the slot's tensor, and the result.
  std::vector<std::pair<int32_t, int32_t>> returned;
};

class OpaqueCalls {
 public:
  // Points into `method`. O(n log n) in values, items of lists and arguments; in a method with
  // jumps and such calls up to kMostSteps more.
  explicit OpaqueCalls(const Method& method);

  // Of an instruction that is such a call. O(n log n) in its arguments and the items of its lists.
  [[nodiscard]] OpaqueCall At(int32_t instruction) const;

 private:
  // A path is followed over so many jumps.
  static constexpr size_t kMostJumps = 1000;
  // All paths together have so many; then arguments of delegates are taken for results. A method
  // that an exporter wrote needs some thousands.
  static constexpr uint64_t kMostSteps = 10'000'000;

  using Form = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType>;  // bank, offset, bytes, type

  // Tensors of one form; without jumps, at which instructions one of them holds a value.
  struct Group {
    struct Span {
      int32_t first = 0;
      int32_t last = 0;
      auto operator<=>(const Span&) const = default;
    };
    std::vector<int32_t> tensors;
    bool is_known = false;
    int32_t held_from = std::numeric_limits<int32_t>::max();
    std::vector<Span> read_later;  // ascending and disjoint: it is also read after them
  };

  void NoteTouches();
  void NoteLists();
  void NoteForms();
  void NoteResults(int32_t instruction);
  [[nodiscard]] OpaqueCall Kernel(int32_t instruction, std::span<const int32_t> args) const;
  [[nodiscard]] OpaqueCall Delegate(int32_t instruction, std::span<const int32_t> args) const;
  [[nodiscard]] int32_t OperandsOf(int32_t instruction);
  [[nodiscard]] bool HoldsBefore(int32_t instruction, int32_t v) const;
  [[nodiscard]] bool IsHeld(int32_t instruction, Group& group, bool passed);
  void FindSpans(Group& group) const;
  [[nodiscard]] int32_t HeldFrom(int32_t v) const;
  [[nodiscard]] bool IsReadAfter(int32_t instruction, int32_t v);
  [[nodiscard]] bool IsReachedFromMakes(int32_t instruction, int32_t v);
  [[nodiscard]] bool IsNew(int32_t start);
  void GoOn(int32_t jump, std::vector<int32_t>& ahead) const;
  [[nodiscard]] int32_t ClassOf(int32_t v) const;

  const Method& method_;
  int32_t lowest_input_ = -1;                    // -1: no inputs
  std::vector<int32_t> first_listed_;            // per value; inputs: -1
  std::vector<std::vector<int32_t>> listed_at_;  // per list
  std::vector<std::vector<int32_t>> lists_of_;   // per tensor: lists that hold it
  // Per value, ascending: instructions that list it itself, and their count if it is an output or a
  // buffer. What lists its list reads it too, unless it is among the others.
  std::vector<std::vector<int32_t>> read_at_;
  std::vector<std::vector<int32_t>> overwritten_at_;
  std::vector<std::vector<int32_t>> made_at_;  // so, too: by opaque calls
  std::vector<int32_t> jumps_;                 // instructions, ascending
  std::vector<bool> is_literal_;               // per value: a Bool that nothing sets
  std::vector<int32_t> highest_;               // per instruction: the highest value listed so far
  std::vector<Group> groups_;
  std::vector<int32_t> group_of_;  // per value; -1: it has no place
  std::vector<int32_t> operands_;  // per instruction that calls a delegate: its first operands

  uint64_t steps_ = 0;          // made so far
  std::vector<uint32_t> seen_;  // per instruction: the last question that came by
  uint32_t question_ = 0;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALLS_H_
