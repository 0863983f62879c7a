// The verb `prove`: programs in, proofs or refutations out.
#ifndef PTEPROOF_CLI_VERBS_PROVE_COMMAND_H_
#define PTEPROOF_CLI_VERBS_PROVE_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "properties/proofs/obligations_of.h"
#include "properties/proofs/planner/prove_planner.h"
#include "properties/proofs/solver/decide.h"
#include "pteproof/finding.h"

namespace pteproof {

struct ProveRequest {
  std::vector<std::string> files;  // programs, folders, Modules as text
  std::optional<Policy> policy;    // over the manifest's
  std::optional<bool> all_first;   // over the manifest's
  ManifestChoice manifest;
  std::vector<std::string> data;  // weights outside the programs (.ptd), which must fit them
  proofs::Order order = proofs::Order::kFile;
  proofs::DecideOptions how;
  std::string smt;          // a folder to write every query to; empty: none
  std::string certificate;  // a file to write what confirms the verdict to; empty: none
  bool list = false;        // print what has to be shown, and decide nothing
  bool json = false;
  bool quiet = false;
  bool why = false;      // tell the fewest facts that are enough for each refutation
  bool planner = false;  // proofs of the planner's own code, and of no file
  proofs::PlannerProofOptions planner_bounds;
};

// Writes a report per file. kSafe: all is proved under the loader, or under all of them;
// kUnsafe: refuted; kUndecided: unknown, left open by the file, or dependent on the loader.
[[nodiscard]] ExitCode RunProve(const ProveRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PROVE_COMMAND_H_
