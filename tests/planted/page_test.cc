// docs/planted.md and the table of defects say the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/planted/defects.h"
#include "tests/planted/hunt.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::filesystem::path kPage = std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs/planted.md";
constexpr std::string_view kHead = "| defect |";

std::string StartOf(const DefectRow& row) {
  return fmt::format("| {} | {} |", row.name, row.entry);
}

// Measured anew, which takes as long as all hunts together.
std::string Table() {
  std::string table = std::string(kHead) + " entry | cases | found by | nodes | calls |\n";
  table += "|---|---|---|---|---|---|\n";
  for (const DefectRow& row : AllDefects()) {
    const auto find = Hunt(row.defect, 10'000);
    table += StartOf(row);
    table += find ? fmt::format(" {} | {} | {} | {} |\n", find->cases, find->way, find->nodes,
                                find->calls)
                  : " not found | | | |\n";
  }
  return table;
}

// With PTEPROOF_UPDATE_DOCS in the environment the table is measured and written anew.
TEST(PlantedPage, HasARowForEveryDefect) {
  std::string page = ReadText(kPage);
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) {
    page = page.substr(0, page.find(kHead)) + Table();
    std::ofstream(kPage) << page;
  }
  for (const DefectRow& row : AllDefects()) {
    EXPECT_NE(page.find(StartOf(row)), std::string::npos) << row.name;
  }
}

}  // namespace
}  // namespace pteproof
