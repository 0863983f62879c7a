#include "tests/support/operator_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

// The page counts the cases of the shared collection: there is one such test where that is at hand.
class OperatorPageOf : public testing::TestWithParam<std::filesystem::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OperatorPageOf);

// With PTEPROOF_UPDATE_DOCS in the environment the page is written anew.
TEST_P(OperatorPageOf, SaysWhatTheOperatorTableAndTheRecordingsSay) {
  const std::string table = OperatorTable(GetParam() / "ops");
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kPage) << table;
  EXPECT_EQ(Page(), table);
}

std::vector<std::filesystem::path> CollectionsAtHand() {
  const auto root = SharedExportedRoot();
  return root ? std::vector<std::filesystem::path>{*root} : std::vector<std::filesystem::path>{};
}

INSTANTIATE_TEST_SUITE_P(Shared, OperatorPageOf, testing::ValuesIn(CollectionsAtHand()),
                         [](const auto&) { return std::string("collection"); });

TEST(OperatorPage, NamesEveryOperator) {
  const std::string page = Page();
  for (const OpSchema& schema : AllOperators()) {
    EXPECT_NE(page.find("`" + std::string(schema.name) + "`"), std::string::npos) << schema.name;
  }
}

}  // namespace
}  // namespace pteproof
