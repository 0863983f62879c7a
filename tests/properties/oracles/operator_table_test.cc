#include "tests/support/operator_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reference/op_schema.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::filesystem::path kPage =
    std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs/reference/operators.md";

const std::filesystem::path kNames =
    std::filesystem::path(PTEPROOF_SOURCE_DIR) / "python/pteproof/executorch/_operators.py";

std::string Page() {
  return ReadText(kPage);
}

// The module of names for the manifest script.
std::string NamesForPython() {
  std::vector<std::string_view> names;
  for (const OpSchema& schema : AllOperators()) names.push_back(schema.name);
  std::ranges::sort(names);
  return fmt::format(
      "\"\"\"The operators of pteproof's table (docs/reference/operators.md), by their names in a "
      "file.\"\"\"\n\n"
      "KNOWN = frozenset(\n    \"\"\"\n    {}\n\"\"\".split()\n)\n",
      fmt::join(names, "\n    "));
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

// With PTEPROOF_UPDATE_DOCS in the environment the names are written anew.
TEST(OperatorNames, OfTheManifestScriptAreThoseOfTheTable) {
  const std::string names = NamesForPython();
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kNames) << names;
  EXPECT_EQ(ReadText(kNames), names);
}

}  // namespace
}  // namespace pteproof
