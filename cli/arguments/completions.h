// Completions of verbs, flags and words for three shells.
#ifndef PTEPROOF_CLI_ARGUMENTS_COMPLETIONS_H_
#define PTEPROOF_CLI_ARGUMENTS_COMPLETIONS_H_

#include <string>

#include "cli/arguments/description.h"

namespace pteproof {

// Each the text of a file that the shell loads.
[[nodiscard]] std::string BashCompletion(const CommandInfo& command);
[[nodiscard]] std::string ZshCompletion(const CommandInfo& command);
[[nodiscard]] std::string FishCompletion(const CommandInfo& command);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_COMPLETIONS_H_
