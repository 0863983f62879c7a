#include "properties/manifest/of_plan.h"

#include "planner/state/module_init.h"
#include "properties/manifest/of_module.h"

namespace pteproof {

Result<Manifest, std::string> ManifestOfPlan(const graph::Module& module,
                                             const planner::PlanOptions& options,
                                             const Program& program) {
  return ManifestOf(module,
                    {.policy = options.policy,
                     .shared_buffers = options.shared_buffers,
                     .caller_sets_state = !options.plan_buffers,
                     .init_method = planner::HasModuleInit(program) ? planner::kModuleInit : ""});
}

}  // namespace pteproof
