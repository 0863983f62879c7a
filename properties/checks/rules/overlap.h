// From a clobber to the rule it breaks and the explanation of it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_OVERLAP_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_OVERLAP_H_

#include "properties/checks/flow/clobbers.h"
#include "properties/checks/flow/method_check.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// The rule says how the bytes came to be shared: by an in-place update, through a view, past the
// end of a region, or by a plain overlap of the plan. A warning if the reader's result is not
// `observed`.
[[nodiscard]] Finding TellClobber(const MethodCheck& check, const Clobber& clobber,
                                  bool observed = true);

// A value that is used although nothing made it on some path: undecided, since the path may be
// impossible; an error where nothing makes it on any.
[[nodiscard]] Finding TellUnmade(const MethodCheck& check, const LiveName& name);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_OVERLAP_H_
