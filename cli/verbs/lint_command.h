// The verb `lint`: the in-place conditions of a Module.
#ifndef PTEPROOF_CLI_VERBS_LINT_COMMAND_H_
#define PTEPROOF_CLI_VERBS_LINT_COMMAND_H_

#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "reference/graph/in_place.h"

namespace pteproof {

struct LintRequest {
  std::vector<std::string> files;  // Modules' texts, or - for standard input
  graph::InPlaceOrder order = graph::InPlaceOrder::kListed;
  bool json = false;
};

// Prints what each Module does wrong in place. kUnsafe: something; kMalformed: a file holds no
// Module; kUnreadable: one cannot be read. Of several files the worst counts.
[[nodiscard]] ExitCode RunLint(const LintRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_LINT_COMMAND_H_
