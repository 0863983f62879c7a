// Work on several threads: all of the planner's.
#ifndef PTEPROOF_PLANNER_RUN_ALL_H_
#define PTEPROOF_PLANNER_RUN_ALL_H_

#include <cstddef>
#include <functional>

namespace pteproof {

// Calls run(0) to run(count - 1), so many at once. A stop of this thread's work is one of theirs;
// what one of them throws ends the call.
void RunAll(size_t count, size_t threads, const std::function<void(size_t)>& run);

}  // namespace pteproof

#endif  // PTEPROOF_PLANNER_RUN_ALL_H_
