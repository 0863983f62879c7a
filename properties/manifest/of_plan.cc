#include "properties/manifest/of_plan.h"

#include <algorithm>
#include <utility>

#include "planner/state/module_init.h"
#include "properties/manifest/of_module.h"

namespace pteproof {

Result<Manifest, std::string> ManifestOfPlan(const graph::Module& module,
                                             const planner::PlanOptions& options,
                                             const Program& program) {
  auto made = ManifestOf(
      module, {.policy = options.policy,
               .shared_buffers = options.shared_buffers,
               .caller_sets_state = !options.plan_buffers,
               .init_method = planner::HasModuleInit(program) ? planner::kModuleInit : ""});
  if (!made.ok()) return made;
  Manifest manifest = std::move(made).value();
  // The method may overwrite the bytes under an output.
  for (const planner::PlanOptions::Overlay& each : options.overlays) {
    const auto method = manifest.methods.find(each.method);
    if (method == manifest.methods.end()) continue;
    auto& inputs = method->second.in_place_inputs;
    if (inputs && std::ranges::find(*inputs, each.input) == inputs->end()) {
      inputs->push_back(each.input);
    }
  }
  return manifest;
}

}  // namespace pteproof
