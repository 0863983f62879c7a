#include "tests/planted/plant.h"

namespace pteproof {
namespace {

thread_local planner::Defect planted_defect = planner::Defect::kNone;

}  // namespace

void PlantDefect(planner::Defect defect) {
  planted_defect = defect;
}

namespace planner {

bool Planted(Defect defect) {
  return defect == planted_defect;
}

}  // namespace planner
}  // namespace pteproof
