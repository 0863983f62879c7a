// The verb `plan`: a Module to a `.pte`.
#ifndef PTEPROOF_CLI_VERBS_PLAN_COMMAND_H_
#define PTEPROOF_CLI_VERBS_PLAN_COMMAND_H_

#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "planner/options.h"

namespace pteproof {

struct PlanRequest {
  std::string file;    // a Module as text, or - for standard input
  std::string output;  // the `.pte`; -: standard output, and the report goes to standard error
  planner::PlanOptions options;
  std::vector<std::string> banks;     // NAME:SIZE[:ALIGN], in order of preference
  std::vector<std::string> overlays;  // METHOD:OUTPUT:INPUT
  bool force_out_of_place = false;    // what may not be made in place is planned out of place
  bool write_manifest = false;        // NAME.manifest.json beside the `.pte`
  bool report = false;                // a line per method and bank on standard output
  bool json = false;                  // of JSON
};

// kMalformed: the file is no Module. kUnsafe: no plan is what was asked for; why is on standard
// error.
[[nodiscard]] ExitCode RunPlan(PlanRequest request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PLAN_COMMAND_H_
