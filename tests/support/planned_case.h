// A random case through the planner, the writer, the reader and the check, and its calls in a run
// that knows no plan.
#ifndef PTEPROOF_TESTS_SUPPORT_PLANNED_CASE_H_
#define PTEPROOF_TESTS_SUPPORT_PLANNED_CASE_H_

#include <string>

#include "planner/plan.h"
#include "properties/generators/build_module.h"

namespace pteproof {

// Whether what the Module's delegates and unknown operators compute is not said by anything: then
// nothing is compared.
[[nodiscard]] bool IsOpaque(const graph::Module& module);

// What is wrong with the plan; empty: nothing. It is written and read again; the check finds no
// error under the options' policy, with the Module's manifest neither; and, under `hash`, the
// program's calls give what the Module's give. `refused` is set when the planner says that there is
// none.
[[nodiscard]] std::string FaultOfPlan(const generators::RandomCase& c,
                                      const planner::PlanOptions& options, bool* refused = nullptr);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_PLANNED_CASE_H_
