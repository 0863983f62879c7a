// What `replan --repair` tells: what was wrong, what was done, and what was shown.
#ifndef PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_
#define PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_

#include <string>

#include "cli/render/replan_report.h"
#include "planner/repair/repair.h"
#include "properties/certify/certify.h"

namespace pteproof {

[[nodiscard]] std::string RepairText(const ReplanFiles& files, const Program& old_program,
                                     const planner::Repaired& repaired,
                                     const certify::Certificate& certificate);

// One object, and a newline: the certificate.
[[nodiscard]] std::string RepairJson(const ReplanFiles& files, const planner::Repaired& repaired,
                                     const certify::Certificate& certificate);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_
