// Ways to plan and to call that a campaign takes in turn.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_SETTINGS_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_SETTINGS_H_

#include <cstdint>
#include <string>

#include "planner/options.h"
#include "properties/differential/case_run.h"

namespace pteproof {

struct Setting {
  std::string name;  // "best, share-1-2, hash, unplanned inputs and outputs"
  planner::PlanOptions options;
  CaseWays ways;
};

// One algorithm and policy a case, each algorithm under each policy within 14 numbers; other
// options now and then.
[[nodiscard]] Setting SettingOf(uint64_t number);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_SETTINGS_H_
