// What the reference refuses for its numbers or sizes, the planned run must not run through.
#ifndef PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_
#define PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/calls/draft.h"
#include "properties/oracles/replay.h"
#include "pteproof/run.h"

namespace pteproof::fuzz {

// What became of the first call: the sizes of its outputs (none of those that are not tensors), or
// why it did not come to its end.
struct PlannedEnd {
  std::optional<RunFault> fault;
  std::vector<Sizes> sizes;
};
struct ReferenceEnd {
  std::optional<ReplayError> error;
  std::vector<Sizes> sizes;
};

// Of the first call, with the operators' meaning. Aborts if the planned run got further than the
// reference, where that depends on no bytes: without jumps, without moves of tensors, without
// operators that make sizes or numbers of elements. Aborts also if the reference got further than
// the planned run, which found memory that nobody had given, or a condition that was not a bool.
void RequireSameRefusal(const Draft& draft, const std::optional<ReplayError>& reference,
                        const std::optional<RunFault>& planned);

// Of the first call, whatever operators do. Aborts if both came to their end with other sizes of
// outputs, the draft's values, where that depends on no bytes. `fits`: the calls can be made with
// the operators' meaning; what mixes need not fit together, and then it has the sizes of the file.
void RequireSameSizes(const Draft& draft, std::span<const int32_t> outputs, bool fits,
                      const ReferenceEnd& reference, const PlannedEnd& planned);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_SAME_REFUSALS_H_
