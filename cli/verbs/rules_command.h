// The verb `rules`: what the rules mean.
#ifndef PTEPROOF_CLI_VERBS_RULES_COMMAND_H_
#define PTEPROOF_CLI_VERBS_RULES_COMMAND_H_

#include <string>

#include "cli/io/exit_code.h"

namespace pteproof {

struct RulesRequest {
  std::string rule;   // empty: all of them
  bool json = false;  // a line of JSON for each
};

// Prints one line for each rule, or, with a name, everything about that one. An unknown name is a
// usage error that names the nearest.
[[nodiscard]] ExitCode RunRules(const RulesRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_RULES_COMMAND_H_
