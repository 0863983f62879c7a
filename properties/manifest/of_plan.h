// The manifest of a planned file.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_OF_PLAN_H_
#define PTEPROOF_PROPERTIES_MANIFEST_OF_PLAN_H_

#include <string>

#include "planner/options.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof {

// `program` is the plan of `module` with `options`. Errors as ManifestOf.
[[nodiscard]] Result<Manifest, std::string> ManifestOfPlan(const graph::Module& module,
                                                           const planner::PlanOptions& options,
                                                           const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_OF_PLAN_H_
