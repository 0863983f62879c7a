// docs/explanation/evidence/planted.md and the table of defects say the same.
#include <gtest/gtest.h>

#include <string>

#include "tests/planted/defects.h"
#include "tests/planted/table.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

TEST(PlantedPage, HasARowForEveryDefect) {
  const std::string page =
      ReadText(std::string(PTEPROOF_SOURCE_DIR) + "/docs/explanation/evidence/planted.md");
  for (const DefectRow& row : AllDefects()) {
    EXPECT_NE(page.find(StartOfRow(row)), std::string::npos) << row.name;
  }
}

}  // namespace
}  // namespace pteproof
