// The verb `random`: prints a random Module, or what many of them contain.
#ifndef PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_
#define PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_

#include <cstdint>

#include "cli/io/exit_code.h"

namespace pteproof {

struct RandomRequest {
  uint64_t seed = 0;
  bool statistics = false;  // count what many seeds draw, instead
  uint64_t cases = 1000;    // as many, from `seed` on
  bool json = false;        // the counts as JSON lines
};

// Equal seeds print equal Modules. kUnsafe: the counts are not those of the default distribution.
[[nodiscard]] ExitCode RunRandom(const RandomRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_RANDOM_COMMAND_H_
