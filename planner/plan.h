// The planner: a Module to a Program with a place for every tensor, ready to be written. What comes
// out has passed the placement validator, in every build.
#ifndef PTEPROOF_PLANNER_PLAN_H_
#define PTEPROOF_PLANNER_PLAN_H_

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "planner/emit/elided_name.h"
#include "planner/options.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof::planner {

// How full a bank of a method is. Bytes.
struct BankReport {
  std::string method;
  int32_t bank = 0;  // memory id
  int64_t peak = 0;
  int64_t load = 0;   // no plan of these storages is smaller
  int64_t naive = 0;  // what the storages take one after the other
};

struct Planned {
  Program program;
  std::deque<std::vector<std::byte>> blobs;  // what the program's data point into
  std::vector<BankReport> report;
  std::vector<std::vector<ElidedName>> elided;  // by method: names that no instruction makes
  std::vector<std::string> warnings;
};

struct PlanError {
  std::string method;  // empty: the Module
  std::string what;    // what, and what to do
};

// Plans every method, in the Module's order, et_module_init last where there is one. Errors: the
// Module is not well-formed, or mutates in a way that has no functional form; a dim has no bound;
// what policy, banks or options ask for cannot be had. A pure function: equal arguments, equal
// programs.
[[nodiscard]] Result<Planned, PlanError> Plan(const graph::Module& module,
                                              const PlanOptions& options = {});

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PLAN_H_
