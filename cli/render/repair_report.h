// What `replan --repair` tells: what was wrong, what was done, and what was shown.
#ifndef PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_
#define PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_

#include <string>
#include <vector>

#include "cli/render/replan_report.h"
#include "planner/repair/repair.h"
#include "properties/certify/certify.h"

namespace pteproof {

struct RepairFiles {
  ReplanFiles names;
  std::vector<std::string> changes;  // of what the program says, one sentence each
};

[[nodiscard]] std::string RepairText(const RepairFiles& files, const planner::Repaired& repaired,
                                     const certify::Certificate& certificate);

// One object, and a newline: the certificate. `again`: that of a smaller plan of the repaired
// program; null: there is none.
[[nodiscard]] std::string RepairJson(const RepairFiles& files, const planner::Repaired& repaired,
                                     const certify::Certificate& certificate,
                                     const nlohmann::ordered_json& again = nullptr);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_REPAIR_REPORT_H_
