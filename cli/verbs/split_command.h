// The verb `split`: methods of a program with what they use, as a program of their own.
#ifndef PTEPROOF_CLI_VERBS_SPLIT_COMMAND_H_
#define PTEPROOF_CLI_VERBS_SPLIT_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"

namespace pteproof {

struct SplitRequest {
  std::string file;                  // a program (.pte)
  std::vector<std::string> methods;  // by name
  std::string output;                // the program; its manifest is written beside it
  ManifestChoice manifest = {};
  std::vector<std::string> data;  // weights outside of it (.ptd)
  uint64_t seed = 0;
  std::optional<int> calls;  // random ones of each method; none: up to 100, as their cost is worth
};

// Exit codes as those of RunLink.
[[nodiscard]] ExitCode RunSplit(const SplitRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_SPLIT_COMMAND_H_
