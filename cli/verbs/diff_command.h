// The verb `diff`: random calls of a program as it is planned, against a run that knows no plan.
#ifndef PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_
#define PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "pteproof/finding.h"

namespace pteproof {

struct DiffRequest {
  std::string file;               // a program (.pte, .bpte)
  std::vector<std::string> data;  // weights outside of it (.ptd)
  std::string manifest;           // empty: the one beside the file, where there is one
  bool no_manifest = false;
  std::optional<Policy> policy;  // none: the manifest's, else all three
  uint64_t seed = 0;
  int sequences = 20;
  bool json = false;
};

// A line per policy: how many calls were compared, and why others were not; a disagreement with the
// calls that lead to it. kSafe: all compared calls agree; kUnsafe: one differs; kUndecided: nothing
// could be compared under some policy; kUnreadable, kMalformed as elsewhere.
[[nodiscard]] ExitCode RunDiff(const DiffRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_
