// Does a delegate's blob fit the calls of it?
#ifndef PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_
#define PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_

#include <set>
#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::checks {

// The blobs whose inner plan was judged; methods may share one.
using JudgedBlobs = std::set<const delegates::OpenedBlob*>;

// delegate-mismatch, delegate-output-unwritten; plan-overlap as a warning for two values inside a
// blob that share memory while both are live; a note for a blob of a known format that cannot be
// read. Blobs of other formats are left alone. O(n log n) in arguments and in the nodes inside.
[[nodiscard]] std::vector<Finding> CheckDelegateCalls(const MethodMeaning& meant,
                                                      JudgedBlobs& judged);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DELEGATE_CALLS_H_
