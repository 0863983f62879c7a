// The verb `random`: prints a random Module.
#ifndef PTEPROOF_CLI_RANDOM_COMMAND_H_
#define PTEPROOF_CLI_RANDOM_COMMAND_H_

#include <cstdint>

#include "cli/exit_code.h"

namespace pteproof {

// Equal seeds print equal Modules.
[[nodiscard]] ExitCode RunRandom(uint64_t seed);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RANDOM_COMMAND_H_
