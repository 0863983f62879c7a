#include "tests/planted/defects.h"

#include <algorithm>

namespace pteproof {
namespace {

// Made by whoever registers first: files are initialised in no order.
std::vector<DefectRow>& Registered() {
  static std::vector<DefectRow> rows;
  return rows;
}

}  // namespace

RegisterDefect::RegisterDefect(const DefectRow& row) {
  Registered().push_back(row);
}

std::vector<DefectRow> AllDefects() {
  std::vector<DefectRow> all(PlannerDefects().begin(), PlannerDefects().end());
  std::vector<DefectRow> of_files = Registered();
  std::ranges::sort(of_files, {}, &DefectRow::name);
  all.insert(all.end(), of_files.begin(), of_files.end());
  return all;
}

}  // namespace pteproof
