// The verb `rules`: what the rules mean.
#ifndef PTEPROOF_CLI_VERBS_RULES_COMMAND_H_
#define PTEPROOF_CLI_VERBS_RULES_COMMAND_H_

#include <string>

#include "cli/io/exit_code.h"

namespace pteproof {

// Prints one line for each rule, or, with a name, everything about that one. An unknown name is a
// usage error that names the nearest.
[[nodiscard]] ExitCode RunRules(const std::string& name);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_RULES_COMMAND_H_
