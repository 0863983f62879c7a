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
#include <map>
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
  // Points into `method`. O(n log n) in values and arguments.
  explicit OpaqueCalls(const Method& method);

  // Of an instruction that is such a call. O(arguments x results), and up to kMostJumps jumps for
  // each argument of a delegate.
  [[nodiscard]] OpaqueCall At(int32_t instruction) const;

 private:
  // A path is followed over so many jumps.
  static constexpr size_t kMostJumps = 1000;

  using Form = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType>;  // bank, offset, bytes, type

  void NoteResults(int32_t instruction);
  [[nodiscard]] OpaqueCall Kernel(int32_t instruction, std::span<const int32_t> args) const;
  [[nodiscard]] OpaqueCall Delegate(int32_t instruction, std::span<const int32_t> args) const;
  [[nodiscard]] bool HoldsBefore(int32_t instruction, int32_t v) const;
  [[nodiscard]] bool IsOlder(int32_t instruction, int32_t v) const;
  [[nodiscard]] bool IsReadAfter(int32_t instruction, int32_t v) const;
  [[nodiscard]] bool IsReachedFromMakes(int32_t instruction, int32_t v) const;
  void GoOn(int32_t jump, std::vector<int32_t>& ahead) const;
  [[nodiscard]] bool AreOne(int32_t a, int32_t b) const;

  const Method& method_;
  int32_t lowest_input_ = -1;                         // -1: no inputs
  std::vector<int32_t> first_listed_;                 // per value; inputs: -1
  std::vector<std::vector<int32_t>> read_at_;         // per value; outputs: instruction count
  std::vector<std::vector<int32_t>> overwritten_at_;  // per value
  std::vector<int32_t> jumps_;                        // instructions, ascending
  std::vector<bool> is_literal_;                      // per value: a Bool that nothing sets
  std::vector<int32_t> highest_;  // per instruction: the highest value listed so far
  std::map<Form, std::vector<int32_t>> of_form_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_OPAQUE_CALLS_H_
