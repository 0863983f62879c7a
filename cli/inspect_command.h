// The verb `inspect`: a program as readable text.
#ifndef PTEPROOF_CLI_INSPECT_COMMAND_H_
#define PTEPROOF_CLI_INSPECT_COMMAND_H_

#include <string>

#include "cli/exit_code.h"

namespace pteproof {

// Prints the program in `file`, or one method of it where `method` is not empty. A file without a
// program is explained on standard output as `check` does; an unknown method is a usage error.
[[nodiscard]] ExitCode RunInspect(const std::string& file, const std::string& method);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_INSPECT_COMMAND_H_
