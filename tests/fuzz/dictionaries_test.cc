#include "fuzz/dictionaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

const std::filesystem::path kDictionaryFolder =
    std::filesystem::path(PTEPROOF_SOURCE_DIR) / "fuzz" / "dictionaries";

// With PTEPROOF_UPDATE_DOCS in the environment they are written anew.
TEST(Dictionaries, AreStoredAsTheyAreMade) {
  for (const fuzz::Dictionary& dictionary : fuzz::AllDictionaries()) {
    const auto file = kDictionaryFolder / (std::string(dictionary.kind) + ".dict");
    if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(file) << dictionary.text();
    EXPECT_EQ(ReadText(file), dictionary.text()) << dictionary.kind;
  }
}

TEST(Dictionaries, AreInLibFuzzersFormat) {
  for (const fuzz::Dictionary& dictionary : fuzz::AllDictionaries()) {
    std::istringstream text(dictionary.text());
    for (std::string line; std::getline(text, line);) {
      const bool entry = line.size() > 2 && line.front() == '"' && line.back() == '"';
      EXPECT_TRUE(line.empty() || line.front() == '#' || entry) << line;
    }
  }
}

TEST(Dictionaries, HoldWhatFilesHold) {
  const auto text_of = [](size_t index) { return fuzz::AllDictionaries()[index].text(); };
  EXPECT_THAT(text_of(0), HasSubstr("\n\"ET12\"\n"));
  EXPECT_THAT(text_of(0), HasSubstr("\n\"aten::add\"\n"));
  EXPECT_THAT(text_of(0), HasSubstr("\n\"\\xff\\xff\\xff\\x7f\"\n"));
  EXPECT_THAT(text_of(1), HasSubstr("\n\"FT01\"\n"));
  EXPECT_THAT(text_of(1), HasSubstr("\n\"BP08\"\n"));
  EXPECT_THAT(text_of(1), HasSubstr("\n\"in_place_inputs\"\n"));
  EXPECT_THAT(text_of(2), HasSubstr("\n\"aten::add.out\"\n"));
  EXPECT_THAT(text_of(2), HasSubstr("\n\"floordiv\"\n"));
}

}  // namespace
}  // namespace pteproof
