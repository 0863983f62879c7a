// Two calls side by side at all sizes of their inputs.
#ifndef PTEPROOF_PROPERTIES_COMPARE_FOLLOW_SIZES_H_
#define PTEPROOF_PROPERTIES_COMPARE_FOLLOW_SIZES_H_

#include <cstdint>
#include <vector>

#include "properties/compare/follow_paths.h"
#include "pteproof/program.h"

namespace pteproof::compare {

// Choices of sizes: of each input, in order.
struct SizeChoices {
  std::vector<std::vector<Sizes>> all;  // the first one is at the bounds
  bool complete = true;                 // they are all that there are
  bool vary = false;
};

// All sizes from 1 to the bounds of the file if there are at most that many, else some.
[[nodiscard]] SizeChoices ChoicesOf(const Method& method, int64_t most);

// Follows the paths with sizes left open, and if terms do not show sameness so, at each choice.
void FollowSizes(TermTable& table, const PathRunners& runners, const SizeChoices& choices,
                 const ComputationOptions& options, MethodComparison& answer);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_FOLLOW_SIZES_H_
