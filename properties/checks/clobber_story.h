// From a clobber to the rule it breaks and the story of it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_CLOBBER_STORY_H_
#define PTEPROOF_PROPERTIES_CHECKS_CLOBBER_STORY_H_

#include "base/finding.h"
#include "properties/checks/clobbers.h"
#include "properties/checks/method_check.h"

namespace pteproof::checks {

// The rule says how the bytes came to be shared: by an in-place update, through a view, over a
// region's end, or by plain bad luck of the planner. A warning when what the reader makes of it is
// not `observed` by anybody.
[[nodiscard]] Finding TellClobber(const MethodCheck& check, const Clobber& clobber,
                                  bool observed = true);

// A value that is used although nothing made it on some path: undecided, since the path may be
// impossible.
[[nodiscard]] Finding TellUnmade(const MethodCheck& check, const LiveName& name);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_CLOBBER_STORY_H_
