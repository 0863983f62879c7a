// The bytes of a program's banks that a new plan leaves alone: state, wherever a method keeps it.
#ifndef PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_
#define PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/lift/webs.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// How long an output in a bank stays as its method left it: the caller's contract.
enum class OutputsLast : uint8_t {
  kNextCall,     // until the next call of a method that shares the bank, as ExecuTorch promises
  kOwnNextCall,  // until the next call of its own method
  kAlways,       // until its own method writes it again: nothing else ever lies there
};

// By method, what other methods leave alone and have to go on leaving alone: its state, and with
// `outputs` the outputs that the caller may read after later calls. Each list is ascending and
// disjoint.
[[nodiscard]] std::vector<std::vector<BankBytes>> KeptBytesOf(const Program& program,
                                                              std::span<const MethodWebs> webs,
                                                              bool outputs);

struct FixedBytes {
  std::vector<bool> webs;            // per value that is the first of its web: the web stays
  std::vector<bool> outputs;         // of these: only as the caller may read it after later calls
  std::vector<BankBytes> ranges;     // of state: nothing else may lie there
  std::vector<BankBytes> untouched;  // kept by other methods: nothing may be moved there
  // Both are ascending and disjoint.

  [[nodiscard]] bool Stays(int32_t web) const { return webs[static_cast<size_t>(web)]; }
  // Whether all of these bytes are in a range.
  [[nodiscard]] bool Holds(const BankBytes& bytes) const;
};

// Of a method, by what all methods keep. A web stays if it holds kept bytes, or if a call leaves
// some of it where a call of any method finds state. State keeps its bytes throughout; outputs that
// stay leave theirs to others until they are written. Kept bytes of other methods that the method
// does not touch stay untouched. O(n log n) in values and ranges.
[[nodiscard]] FixedBytes FixedBytesOf(const Program& program, std::span<const MethodWebs> webs,
                                      std::span<const std::vector<BankBytes>> kept, size_t method);

// The first output that does not last so long, in one sentence; nothing: all do. O(outputs x
// values).
[[nodiscard]] std::optional<std::string> OutputCutShort(const Program& program,
                                                        std::span<const MethodWebs> webs,
                                                        OutputsLast outputs);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_FIXED_BYTES_H_
