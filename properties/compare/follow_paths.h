// Two calls side by side on all their paths: the two sides may be programs or a Module.
#ifndef PTEPROOF_PROPERTIES_COMPARE_FOLLOW_PATHS_H_
#define PTEPROOF_PROPERTIES_COMPARE_FOLLOW_PATHS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "properties/compare/computation.h"
#include "properties/compare/run/trace.h"

namespace pteproof::compare {

// Begins the assumption about an opaque call of which the two programs tell unlike results.
inline constexpr std::string_view kResultsAreTold =
    "both programs have the same arguments as results in the call at instruction";

struct PathRunners {
  std::function<Trace(const Assumptions&)> old_call;
  std::function<Trace(const Assumptions&)> new_call;
  std::function<void(const Trace&, const Trace&)> ended;  // is told of each pair that ended
  bool declared = false;  // all sizes that are followed occur; else inputs need not fit together
  // Results of opaque calls are as the other program tells them. That counts only if the calls then
  // read what something has made.
  bool other_reading = false;
};

// Follows both ways at each condition that is not known, on both sides, and notes in `answer` the
// first pair of paths that does not leave the same, or why paths cannot be followed. An answer that
// is kSame stays so if all of them do.
void FollowPaths(TermTable& table, const PathRunners& runners, const Assumptions& assumed,
                 int64_t most_paths, MethodComparison& answer);

// Makes the answer kOpen.
void Open(MethodComparison& answer, std::string why, bool can_run = false);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_FOLLOW_PATHS_H_
