// One abstract run of a straight-line method in which every byte of every bank holds the tag of the
// write that it comes from. A second opinion on the static check, from the operator table alone: it
// shares no code with it.
#ifndef PTEPROOF_TESTS_SUPPORT_STRAIGHT_RUN_H_
#define PTEPROOF_TESTS_SUPPORT_STRAIGHT_RUN_H_

#include <string>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// Whether the run below can follow the method: kernels that the table knows, one after the other,
// on tensors of static shape, numbered as the exporter numbers them (state, inputs, the rest).
[[nodiscard]] bool CanRunStraight(const Method& method);

struct StraightRun {
  bool certain = true;                  // false: some value is a view of nothing that can be named
  std::vector<std::string> violations;  // none: every read of every call sees what it should
};

// Runs the method once, from state and inputs as a call finds them to state and outputs as it
// leaves them. Banks belong to this method alone.
[[nodiscard]] StraightRun RunStraight(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_STRAIGHT_RUN_H_
