#include "tests/support/operator_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "reference/op_schema.h"
#include "tests/support/collection.h"

namespace pteproof {
namespace {

const std::filesystem::path kPage =
    std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs/operators.md";

std::string Page() {
  std::ifstream stream(kPage);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The page counts the cases of the collection.
class OperatorPageOf : public testing::TestWithParam<std::filesystem::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OperatorPageOf);

// With PTEPROOF_UPDATE_DOCS in the environment the page is written anew.
TEST_P(OperatorPageOf, SaysWhatTheOperatorTableAndTheRecordingsSay) {
  const std::string table = OperatorTable(GetParam() / "ops");
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kPage) << table;
  EXPECT_EQ(Page(), table);
}

INSTANTIATE_TEST_SUITE_P(Collection, OperatorPageOf,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

TEST(OperatorPage, NamesEveryOperator) {
  const std::string page = Page();
  for (const OpSchema& schema : AllOperators()) {
    EXPECT_NE(page.find("`" + std::string(schema.name) + "`"), std::string::npos) << schema.name;
  }
}

}  // namespace
}  // namespace pteproof
