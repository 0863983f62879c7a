// Each method in the form of which the plan takes the fewest bytes: as it is, with stores as early
// as they may come, or all instructions in another order, and either with updates in place; if it
// is spread out also without calls that only copy.
#ifndef PTEPROOF_PLANNER_REPLAN_FORMS_H_
#define PTEPROOF_PLANNER_REPLAN_FORMS_H_

#include <span>

#include "planner/lift/webs.h"
#include "planner/replan/move_places.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// No method depends on the form of another one: all forms keep the same state at the same bytes.
// So each takes its own best, and the total of the methods is the least, whichever banks a loader
// shares. Updates in place and dropped copies also win if they take as many bytes, since a run
// copies less then.
[[nodiscard]] Replanned MoveStoresAndPlaces(const Program& program,
                                            std::span<const MethodWebs> webs,
                                            const ReplanOptions& options);
// The same, of a program whose meaning nobody has recovered yet.
[[nodiscard]] Replanned MoveStoresAndPlaces(const Program& program, const ReplanOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPLAN_FORMS_H_
