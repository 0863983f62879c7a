// Makes a changed program one that loaders take, so that a share of the inputs gets further than
// the first check that refuses them.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_REPAIR_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_REPAIR_H_

#include "pteproof/program.h"

namespace pteproof::fuzz::plan {

// Banks are grown to hold what lies in them, offsets too far out for that are taken back to 0 and
// rounded to 16, huge banks are cut to what is needed, items of lists that are of no use become
// none or are dropped, constants leave the inputs, and frees, moves and jumps of what is of the
// wrong kind are dropped. Arguments of calls stay as they are. O(size of the program).
void Repair(Program& program);

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_REPAIR_H_
