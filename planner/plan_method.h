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

// Appends the method to `planned`; or what cannot be done, in one sentence.
[[nodiscard]] std::string PlanMethod(MethodInput input, Planned& planned);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PLAN_METHOD_H_
