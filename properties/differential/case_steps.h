// The steps of a case up to its calls: the file is written and read again, and the check judges it.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_STEPS_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_STEPS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "planner/options.h"
#include "properties/differential/case_run.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof {

// Mutation may have no functional form, an output no room over an input, and a mutated input no
// memory that lasts; else there is a plan.
[[nodiscard]] bool MayBeRefused(const graph::Module& module, const planner::PlanOptions& options);

// Writes the program and reads it again; the result points into `bytes`. An error: it cannot be
// written or read, or it reads back as another program.
[[nodiscard]] Result<Program, std::string> Reread(const Program& program,
                                                  std::vector<std::byte>& bytes);

// The manifest of a plan, written and parsed again; errors where it does not fit the program.
[[nodiscard]] Result<Manifest, std::string> ParsedManifest(const graph::Module& module,
                                                           const planner::PlanOptions& options,
                                                           const Program& program);

// The check's first error under a policy, "RULE in 'METHOD': STORY", with a manifest or (null)
// without. Its kind is the rule.
[[nodiscard]] CaseFault ErrorIn(const Program& program, const Manifest* manifest, Policy policy);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_STEPS_H_
