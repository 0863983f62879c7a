// The planted defects by name, with the real mistakes that they stand for.
#ifndef PTEPROOF_TESTS_PLANTED_DEFECTS_H_
#define PTEPROOF_TESTS_PLANTED_DEFECTS_H_

#include <span>
#include <string_view>

#include "planner/planted.h"

namespace pteproof {

struct DefectRow {
  planner::Defect defect = planner::Defect::kNone;
  std::string_view name;
  int entry = 0;  // in the catalogue of planner bugs: the mistake, or the nearest of its class
};

// Each defect once, in the order of the enumeration.
[[nodiscard]] std::span<const DefectRow> AllDefects();

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_DEFECTS_H_
