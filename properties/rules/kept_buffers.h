// Does a delegate keep a buffer that another method, another delegate or the rest of its method has
// too? Each has then a copy of its own, and misses what the others store.
#ifndef PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_
#define PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// mutability-mismatch, at most one for each buffer by name. Two methods may be of two models, with
// a buffer of that name each: without a manifest that says `shared` the finding is undecided.
// O(n log n) in buffers, times the holders of one.
[[nodiscard]] std::vector<Finding> CheckKeptBuffers(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_KEPT_BUFFERS_H_
