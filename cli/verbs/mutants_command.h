// The verb `mutants`: what it takes each checker to see each planted defect.
#ifndef PTEPROOF_CLI_VERBS_MUTANTS_COMMAND_H_
#define PTEPROOF_CLI_VERBS_MUTANTS_COMMAND_H_

#include <string>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

// Becomes the executable pteproof-mutants, which lies beside this one: it has a planner with
// defects, and this one must not. Comes back only where it is not there, a usage error.
[[nodiscard]] ExitCode RunMutants(const std::vector<std::string>& arguments);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_MUTANTS_COMMAND_H_
