// The verb `diff`: random calls of a program as it is planned, against a run that knows no plan.
#ifndef PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_
#define PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "pteproof/finding.h"

namespace pteproof {

struct DiffRequest {
  std::string file;               // a program (.pte, .bpte)
  std::vector<std::string> data;  // weights outside of it (.ptd)
  std::optional<Policy> policy;   // none: that of a manifest that is trusted, else all three
  ManifestChoice manifest = {};
  uint64_t seed = 0;
  int sequences = 20;
  std::optional<double> seconds;  // instead: as many sequences as they allow
  bool json = false;
};

// A line per policy, or one line if the program has one method: how many calls were compared, and
// why others were not; a disagreement with the calls that lead to it. kSafe: all compared calls
// agree, and there are some of every method that was called; kUnsafe: one differs, or cannot be
// made since a tensor has no memory; kUndecided: no call of some method could be compared under
// some policy; kUnreadable, kMalformed as elsewhere.
[[nodiscard]] ExitCode RunDiff(const DiffRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_DIFF_COMMAND_H_
