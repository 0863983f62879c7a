// What is wrong with the words of a command line, and what to write instead.
#ifndef PTEPROOF_CLI_ARGUMENTS_USAGE_ERROR_H_
#define PTEPROOF_CLI_ARGUMENTS_USAGE_ERROR_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pteproof {

// "check: there is no flag '--polcy'; did you mean '--policy'?" and a line that names the help
// text. `words` are those that `app` was parsed from when it threw `error`.
[[nodiscard]] std::string UsageProblem(const CLI::App& app, const std::vector<std::string>& words,
                                       const CLI::ParseError& error);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_USAGE_ERROR_H_
