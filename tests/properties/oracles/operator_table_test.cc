#include "tests/support/operator_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "reference/op_schema.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

const std::filesystem::path kPage =
    std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs/operators.md";

std::string Page() {
  std::ifstream stream(kPage);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// With PTEPROOF_UPDATE_DOCS in the environment the page is written anew.
TEST(OperatorPage, SaysWhatTheOperatorTableAndTheRecordingsSay) {
  const auto root = SharedExportedRoot();
  if (!root) GTEST_SKIP() << "the shared collection is not at hand";
  const std::string table = OperatorTable(*root / "ops");
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kPage) << table;
  EXPECT_EQ(Page(), table);
}

TEST(OperatorPage, NamesEveryOperator) {
  const std::string page = Page();
  for (const OpSchema& schema : AllOperators()) {
    EXPECT_NE(page.find("`" + std::string(schema.name) + "`"), std::string::npos) << schema.name;
  }
}

}  // namespace
}  // namespace pteproof
