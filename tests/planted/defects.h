// The planted defects by name, with the real mistakes that they stand for: conditions in the
// planner, and damage to what it made. One of the latter is one file in tests/planted/defects/.
#ifndef PTEPROOF_TESTS_PLANTED_DEFECTS_H_
#define PTEPROOF_TESTS_PLANTED_DEFECTS_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "planner/planted.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "reference/graph/module.h"

namespace pteproof {

// A plan that a defect may damage. `draw(n)` gives a number below n, n > 0, the same ones for the
// same case.
struct Plan {
  Program& program;
  Policy& loader;  // how the file is loaded: at first as it was planned for
  const std::function<size_t(size_t)>& draw;
};

struct DefectRow {
  std::string_view name;
  int entry = 0;  // in the catalogue: the mistake, or the nearest of its class; 0: our own
  std::string_view invariant;                        // of the catalogue, that it breaks
  planner::Defect planted = planner::Defect::kNone;  // or:
  // Damages the plan; false: there is nothing of the kind in it, and nothing was changed.
  bool (*damage)(const Plan& plan) = nullptr;
};

// In the order of the enumeration, each once.
[[nodiscard]] std::span<const DefectRow> PlannerDefects();

// The planner's, then those of files, by name.
[[nodiscard]] std::vector<DefectRow> AllDefects();

// Adds a defect of a file to AllDefects: `const RegisterDefect kIt({...});` at namespace scope.
struct RegisterDefect {
  explicit RegisterDefect(const DefectRow& row);
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_DEFECTS_H_
