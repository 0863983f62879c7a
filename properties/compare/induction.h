// A loop whose condition depends on data, on both sides at once: what its rounds hold at its head
// is proved to be the same in all of them.
#ifndef PTEPROOF_PROPERTIES_COMPARE_INDUCTION_H_
#define PTEPROOF_PROPERTIES_COMPARE_INDUCTION_H_

#include <memory>
#include <optional>
#include <vector>

#include "properties/compare/follow_paths.h"
#include "properties/compare/run/trace.h"

namespace pteproof::compare {

// A way through both sides.
struct Path {
  Assumptions assumed;
  std::vector<Cut> old_cuts;
  std::vector<Cut> new_cuts;
  std::shared_ptr<const Path> before = {};  // the last cut: the path that ends at its loop
};

[[nodiscard]] Trace RunOld(const PathRunners& runners, const Path& path, bool snapshot = false);
[[nodiscard]] Trace RunNew(const PathRunners& runners, const Path& path, bool snapshot = false);

// Both sides of the path end at one open condition, that of a loop which `again` repeats. The
// result is the path that leaves the loop after any number of further rounds; nothing: that cannot
// be shown. A few runs of the path for each split of what is held.
[[nodiscard]] std::optional<Path> AfterLoop(TermTable& table, const PathRunners& runners,
                                            const Path& path, bool again);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_INDUCTION_H_
