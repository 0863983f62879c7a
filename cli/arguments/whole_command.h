// The command from its words to its exit code, with the streams and signals of the process.
#ifndef PTEPROOF_CLI_ARGUMENTS_WHOLE_COMMAND_H_
#define PTEPROOF_CLI_ARGUMENTS_WHOLE_COMMAND_H_

#include <string>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

// `words`: what follows the command's name. Call it once, before other threads.
[[nodiscard]] ExitCode RunCommand(const std::vector<std::string>& words);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_WHOLE_COMMAND_H_
