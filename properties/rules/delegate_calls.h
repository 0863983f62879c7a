// Does a delegate's blob fit the calls of it?
#ifndef PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_
#define PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// delegate-mismatch, delegate-output-unwritten; plan-overlap as a warning for two values inside a
// blob that share memory while both are live; a note for a blob of a known format that cannot be
// read. Blobs of other formats are left alone. O(bytes of blobs, arguments).
[[nodiscard]] std::vector<Finding> CheckDelegateCalls(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_
