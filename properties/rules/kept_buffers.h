// Does a delegate keep a buffer that another method, another delegate or the rest of its method has
// too? Each has then a copy of its own, and misses what the others store.
#ifndef PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_
#define PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// mutability-mismatch, at most one for each buffer by name. Two methods may be of two models, with
// a buffer of that name each: without a manifest that says `shared` the finding is undecided. So it
// is where the names differ in letters that Core ML replaces, unless the manifest has one of them
// alone. O(n log n) in the methods' delegates times the buffers of each, up to a limit that ends
// undecided.
[[nodiscard]] std::vector<Finding> CheckKeptBuffers(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_
