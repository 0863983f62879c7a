// `replan --repair`: a plan for what an unsafe program means.
#ifndef PTEPROOF_CLI_VERBS_REPAIR_PROGRAM_H_
#define PTEPROOF_CLI_VERBS_REPAIR_PROGRAM_H_

#include <optional>

#include "cli/io/exit_code.h"
#include "cli/load/program_parts.h"
#include "cli/verbs/replan_command.h"
#include "pteproof/report.h"

namespace pteproof {

// Whether there is something to mend: the plan is unsafe under that policy, or under any without
// one.
[[nodiscard]] bool WantsRepair(const Report& report, std::optional<Policy> policy);

// As `check` of the written file: kSafe, or kUndecided if it depends on the loader. Nothing is
// written: kUnsafe, no plan mends it, and the reasons are printed; kUndecided, the file leaves open
// what it means; else as RunReplan.
[[nodiscard]] ExitCode RunRepair(const ReplanRequest& request, const ProgramParts& parts,
                                 const Report& report, std::optional<Policy> policy);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_REPAIR_PROGRAM_H_
