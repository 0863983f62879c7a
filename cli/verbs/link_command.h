// The verb `link`: programs that were exported apart become one, shown right, and written.
#ifndef PTEPROOF_CLI_VERBS_LINK_COMMAND_H_
#define PTEPROOF_CLI_VERBS_LINK_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "planner/link/link.h"
#include "pteproof/finding.h"

namespace pteproof {

struct LinkRequest {
  std::vector<std::string> files;    // programs (.pte)
  std::string output;                // the program; its manifest is written beside it
  std::string certificate;           // a file; empty: none is written
  std::vector<std::string> renames;  // FILE:METHOD=NEW
  planner::LinkOptions options;
  std::optional<Policy> policy;  // of the loader in use; none: the manifests', or share-1-2
  ManifestChoice manifest = {};  // of each program
  std::vector<std::string> manifests = {};  // instead of those beside them; empty, or one for each
  std::vector<std::string> data;            // weights outside of them (.ptd)
  uint64_t seed = 0;
  std::optional<int> calls;  // random ones of each method; none: up to 1000, as their cost is worth
  bool json = false;
};

// kSafe: written; kUnsafe: a plan is wrong, or the programs cannot be one; kUndecided: a file
// leaves open whether its plan is right; kInternal: a step of the certificate fails, nothing is
// written, and a folder beside the output reproduces it; kUsage, kMalformed, kUnreadable as
// elsewhere.
[[nodiscard]] ExitCode RunLink(const LinkRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_LINK_COMMAND_H_
