// The verb `replan`: a program's memory plan made anew, shown right, and written.
#ifndef PTEPROOF_CLI_VERBS_REPLAN_COMMAND_H_
#define PTEPROOF_CLI_VERBS_REPLAN_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "planner/replan/change_bank.h"
#include "planner/replan/move_places.h"
#include "properties/loader_table.h"
#include "pteproof/finding.h"

namespace pteproof {

struct ReplanRequest {
  std::string file;  // a program (.pte), or a bundle (.bpte) with one, which is written as a bundle
  std::string output;       // - is standard output
  std::string certificate;  // a file; empty: none is written
  planner::ReplanOptions options;
  std::optional<Policy> policy;   // none: the manifest's, or all three
  std::optional<bool> all_first;  // over the manifest's
  ManifestChoice manifest = {};   // of the program
  std::vector<std::string> data;  // weights outside of it (.ptd)
  uint64_t seed = 0;
  std::optional<int> calls;  // random ones of each method; none: up to 1000, as their cost is worth
  bool move_state = false;   // buffers may move within their banks
  bool reorder = false;      // instructions may come in another order
  std::optional<planner::BankChange> bank = {};  // to which values go that may
  bool repair = false;                           // of an unsafe program, what it means is planned
  // A runtime whose operators may be called: `wheel`, or a file that lists them; empty: those of
  // the program alone.
  std::string operators_of;
  std::string loader_file;           // a loader's table, in place of a policy; empty: none
  std::optional<LoaderTable> table;  // as it was read
  bool json = false;
  std::string html;  // where a page with both plans goes; empty: nowhere
};

// kSafe: written; kUnsafe: the plan is wrong, so that there is nothing to keep; kUndecided: the
// file leaves open whether it is right; kInternal: a step of the certificate fails, nothing is
// written, and a folder beside the output reproduces it; kUsage, kMalformed, kUnreadable as
// elsewhere.
[[nodiscard]] ExitCode RunReplan(const ReplanRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_REPLAN_COMMAND_H_
