// Does a program compute what a Module says? Method by method, on terms: the Module's calls and the
// program's are made into terms by the same rules.
#ifndef PTEPROOF_PROPERTIES_COMPARE_MODULE_COMPUTATION_H_
#define PTEPROOF_PROPERTIES_COMPARE_MODULE_COMPUTATION_H_

#include <vector>

#include "properties/compare/computation.h"
#include "reference/graph/module.h"

namespace pteproof::compare {

// Of each method that both have. The Module is the old side. Buffers of the Module are the state of
// that name, or of METHOD/name, as the planner names them; initial values count as well.
[[nodiscard]] std::vector<MethodComparison> CompareWithModule(const graph::Module& module,
                                                              const ComparedSide& side,
                                                              const ComputationOptions& options);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_MODULE_COMPUTATION_H_
