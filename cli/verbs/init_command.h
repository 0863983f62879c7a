// The verb `init`: a first pteproof.toml and a workflow for CI.
#ifndef PTEPROOF_CLI_VERBS_INIT_COMMAND_H_
#define PTEPROOF_CLI_VERBS_INIT_COMMAND_H_

#include <string>
#include <string_view>

#include "cli/io/exit_code.h"

namespace pteproof {

struct InitRequest {
  std::string folder = ".";  // the repository's root
};

// The workflow that checks these files, on GitHub. docs/reference/gate.md shows it.
[[nodiscard]] std::string InitWorkflow(std::string_view files);

// kUsage: a file is there already, and nothing is written; kUnreadable: one cannot be written.
[[nodiscard]] ExitCode RunInit(const InitRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_INIT_COMMAND_H_
