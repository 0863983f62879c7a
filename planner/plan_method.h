// One method through the passes, to places and instructions.
#ifndef PTEPROOF_PLANNER_PLAN_METHOD_H_
#define PTEPROOF_PLANNER_PLAN_METHOD_H_

#include <span>
#include <string>
#include <vector>

#include "planner/emit/emit.h"
#include "planner/plan.h"
#include "planner/state/layout.h"

namespace pteproof::planner {

struct MethodInput {
  const graph::Module& module;  // functional
  size_t method = 0;
  const PlanOptions& options;
  const StateLayout& state;
  std::span<const BufferInFile> buffers;
  Code code;  // of the method
};

// Either the method was appended to `planned`, or it cannot be, or it must be planned anew without
// some stores: those of what the buffer holds already, as branches and loops may hide.
struct MethodOutcome {
  std::string fault;            // in one sentence
  std::vector<int32_t> hollow;  // buffers
};
[[nodiscard]] MethodOutcome PlanMethod(MethodInput input, Planned& planned);

// Takes the store to a buffer out of a code.
void RemoveStore(Code& code, int32_t buffer);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PLAN_METHOD_H_
