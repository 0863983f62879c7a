// The manual page, in the language of groff's `man` macros.
#ifndef PTEPROOF_CLI_ARGUMENTS_MAN_PAGE_H_
#define PTEPROOF_CLI_ARGUMENTS_MAN_PAGE_H_

#include <string>

#include "cli/arguments/description.h"

namespace pteproof {

[[nodiscard]] std::string ManPage(const CommandInfo& command);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_MAN_PAGE_H_
