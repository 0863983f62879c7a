// Whether a tensor that is filled part by part is read on a path that fills no part of it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_UNFILLED_H_
#define PTEPROOF_PROPERTIES_CHECKS_UNFILLED_H_

#include <cstdint>

#include "properties/checks/liveness.h"

namespace pteproof::checks {

// Whether some path from the method's entry comes to `reader` (the instruction count: the method's
// end) without passing an instruction that writes the value. That all parts are filled once one is
// cannot be told from the listing. False where no instruction fills the value. O(instructions).
[[nodiscard]] bool IsReadUnfilled(const MethodFlow& flow, int32_t value, int32_t reader);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_UNFILLED_H_
