// The complaint about a method that a file does not have.
#ifndef PTEPROOF_CLI_RENDER_UNKNOWN_METHOD_H_
#define PTEPROOF_CLI_RENDER_UNKNOWN_METHOD_H_

#include <string>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

// Says which methods there are. kUsage.
[[nodiscard]] ExitCode UnknownMethod(const std::string& method,
                                     const std::vector<std::string>& known);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_UNKNOWN_METHOD_H_
