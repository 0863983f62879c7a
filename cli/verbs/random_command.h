// The verb `random`: prints a random Module, or what many of them contain.
#ifndef PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_
#define PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_

#include <cstdint>

#include "cli/io/exit_code.h"

namespace pteproof {

struct RandomRequest {
  uint64_t seed = 0;
  uint64_t cases = 0;  // 0: print the Module; else count what so many seeds from `seed` on draw
  bool json = false;   // the counts as JSON lines
};

// Equal seeds print equal Modules. kUnsafe: the counts are not those of the default distribution.
[[nodiscard]] ExitCode RunRandom(const RandomRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_
