// What the reference refuses for its numbers or sizes, the planned run must not run through.
#ifndef PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_
#define PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_

#include <optional>

#include "fuzz/calls/draft.h"
#include "properties/oracles/replay.h"
#include "pteproof/run.h"

namespace pteproof::fuzz {

// Of the first call, with the operators' meaning. Aborts if the planned run got further than the
// reference, where that depends on no bytes: without jumps, without moves of tensors, without
// operators that make sizes or numbers of elements.
void RequireSameRefusal(const Draft& draft, const std::optional<ReplayError>& reference,
                        const std::optional<RunFault>& planned);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_
