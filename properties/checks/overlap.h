// From a clobber to the rule it breaks and the explanation of it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_OVERLAP_H_
#define PTEPROOF_PROPERTIES_CHECKS_OVERLAP_H_

#include <string_view>

#include "properties/checks/clobbers.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// The rule says how the bytes came to be shared: by an in-place update, through a view, past the
// end of a region, or by a plain overlap of the plan. A warning if the reader's result is not
// `observed`.
[[nodiscard]] Finding TellClobber(const MethodMeaning& meant, const Clobber& clobber,
                                  bool observed = true);

// The fix of a finding, for a program that `replan --repair` has just refused: without that advice.
[[nodiscard]] std::string_view FixBesidesRepair(std::string_view fix);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_OVERLAP_H_
