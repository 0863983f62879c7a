// The flags of a repository's standard (cli/standard/).
#ifndef PTEPROOF_CLI_ARGUMENTS_STANDARD_ARGUMENTS_H_
#define PTEPROOF_CLI_ARGUMENTS_STANDARD_ARGUMENTS_H_

#include <CLI/CLI.hpp>

#include "cli/standard/load_standard.h"

namespace pteproof {

void AddStandard(CLI::App& verb, StandardChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_STANDARD_ARGUMENTS_H_
