// `--time`: the most that a whole command may take. What listens to a stop (base/stop.h) ends then,
// and nothing is written but a repair that was finished before.
#ifndef PTEPROOF_CLI_IO_TIME_LIMIT_H_
#define PTEPROOF_CLI_IO_TIME_LIMIT_H_

#include <functional>
#include <optional>
#include <string_view>

#include "cli/io/exit_code.h"

namespace pteproof {

// Runs a verb for at most so many seconds. After them a message says what is not finished, and the
// exit code is that of a question that is left open.
[[nodiscard]] ExitCode Within(std::optional<double> seconds, std::string_view verb,
                              const std::function<ExitCode()>& run);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_TIME_LIMIT_H_
