// A random case's calls, by everything that can make them.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_COMPARE_CALLS_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_COMPARE_CALLS_H_

#include "planner/options.h"
#include "properties/differential/case_run.h"
#include "properties/generators/build_module.h"
#include "pteproof/program.h"

namespace pteproof {

// Sets the verdict's calls, and its fault where one of them gives something else.
void CompareCalls(const generators::RandomCase& c, const Program& program, Policy policy,
                  const CaseWays& ways, CaseVerdict& verdict);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_COMPARE_CALLS_H_
