// Webs: the values of a decoded method that have to keep their distance, since one reads bytes that
// another wrote. Whatever else a plan moves, a web moves as a whole, and the method computes what
// it computed.
#ifndef PTEPROOF_PLANNER_LIFT_WEBS_H_
#define PTEPROOF_PLANNER_LIFT_WEBS_H_

#include <cstdint>
#include <vector>

#include "meaning/method_meaning.h"
#include "meaning/program_meaning.h"
#include "planner/lift/byte_owners.h"
#include "planner/lift/touches.h"
#include "planner/passes/live_set.h"
#include "pteproof/program.h"

namespace pteproof::planner {

struct MethodWebs {
  MethodTouches touches;
  std::vector<int32_t> web;       // per value: one of its web; -1: it has no bytes in a bank, or
                                  // no instruction and no caller touches them
  std::vector<BankBytes> state;   // bytes that a call finds, or that loading sets
  std::vector<int32_t> stateful;  // values that lie in such bytes
  ByteOwners at_exit;             // what the call leaves
};

// Of the method with the places that `method` gives its values, which may be others than those that
// the meaning was recovered from. O(n log n) in instructions and arguments for straight code;
// control flow costs the pieces of the banks for each way into a block.
[[nodiscard]] MethodWebs WebsOf(const meaning::MethodMeaning& meant, const Method& method);

// Of all methods.
[[nodiscard]] std::vector<MethodWebs> WebsOf(const meaning::ProgramMeaning& meant,
                                             const Program& program);
// The same, of a program whose meaning nobody has recovered yet. `manifest` may be null.
[[nodiscard]] std::vector<MethodWebs> WebsOf(const Program& program, const Manifest* manifest);

// The bytes of a planned value.
[[nodiscard]] BankBytes BytesOf(const Method& method, int32_t value);

// Per value that is the first of its web, the points at which the web's bytes are in use; empty for
// all others. An operand is in use through the write of the instruction that reads it.
[[nodiscard]] std::vector<LiveSet> LivesOf(const Method& method, const MethodWebs& webs);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_WEBS_H_
