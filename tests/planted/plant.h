// Plants a defect into the planner of this binary, which is compiled with PTEPROOF_PLANTED.
#ifndef PTEPROOF_TESTS_PLANTED_PLANT_H_
#define PTEPROOF_TESTS_PLANTED_PLANT_H_

#include "planner/planted.h"

namespace pteproof {

// From now on, for this thread, in place of the one before; kNone: none.
void PlantDefect(planner::Defect defect);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_PLANT_H_
