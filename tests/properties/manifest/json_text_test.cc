// Texts that are no JSON, or JSON that must not become a tree.
#include "properties/manifest/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pteproof/manifest.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

std::vector<ManifestError> ErrorsOf(const std::string& text) {
  const auto result = ParseManifest(text);
  if (!result) return result.error();
  ADD_FAILURE() << "was accepted: " << text.substr(0, 100);
  return {{"", ""}};
}

std::string Repeated(const std::string& text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(JsonText, NamesLineAndColumnOfASyntaxError) {
  EXPECT_EQ(ErrorsOf("{\"pteproof\": 1,\n  \"buffers\": [}\n}")[0].where, "line 2 column 15");
  EXPECT_EQ(ErrorsOf("?")[0].where, "line 1 column 1");
  EXPECT_THAT(ErrorsOf("{\"pteproof\": 1")[0].what, HasSubstr("this is not JSON"));
}

TEST(JsonText, RefusesWhatFollowsTheTree) {
  EXPECT_EQ(ErrorsOf("{\"pteproof\": 1} x")[0].where, "line 1 column 17");
}

TEST(JsonText, RefusesEmptyAndBinaryText) {
  ErrorsOf("");
  ErrorsOf(std::string("\0\0\0", 3));
  ErrorsOf(std::string("{\"pteproof\": 1}\0", 16));
  ErrorsOf("{\"pteproof\": 1e999}");
}

TEST(JsonText, GivesPrintableMessagesForIllFormedUtf8) {
  const auto errors = ErrorsOf("{\"pteproof\": 1, \"\xff\xfe\": 2}");
  for (const char c : errors[0].what) EXPECT_TRUE(c >= ' ' && c <= '~') << static_cast<int>(c);
}

TEST(JsonText, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(ErrorsOf(R"({"pteproof": 1, "pteproof": 1})")[0].where, "/pteproof");
  const auto errors = ErrorsOf(
      R"({"pteproof": 1, "suppress": [{}, {"rule": "a", "rule": {"b": [1]}, "reason": "c"}]})");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].where, "/suppress/1/rule");
  EXPECT_THAT(errors[0].what, HasSubstr("twice"));
}

TEST(JsonText, AcceptsOneKeyInTwoObjects) {
  ManifestErrors errors;
  const auto tree = ParseJsonText(R"({"a": {"b": 1}, "c": {"b": 2}, "b": 3})", errors);
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(tree.dump(), R"({"a":{"b":1},"b":3,"c":{"b":2}})");
}

TEST(JsonText, RefusesDeepNestingAtTheLevelThatIsTooDeep) {
  ManifestErrors fits;
  EXPECT_TRUE(ParseJsonText(Repeated("[", 32) + Repeated("]", 32), fits).is_array());
  EXPECT_TRUE(fits.empty());
  const auto lists = ErrorsOf(Repeated("[", 1000000));
  ASSERT_EQ(lists.size(), 1U);
  EXPECT_EQ(lists[0].where, Repeated("/0", 32));
  EXPECT_THAT(lists[0].what, HasSubstr("deeper than 32"));
  EXPECT_EQ(ErrorsOf(Repeated("{\"a\":", 1000000))[0].where, Repeated("/a", 32));
}

TEST(JsonText, RefusesOverlongNames) {
  const auto text = [](size_t size) {
    return R"({"pteproof": 1, "buffers": {")" + std::string(size, 'b') + R"(": {}}})";
  };
  EXPECT_TRUE(ParseManifest(text(1024)).ok());
  const auto errors = ErrorsOf(text(1025));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].where, ::testing::StartsWith("/buffers/"));
  EXPECT_THAT(errors[0].what, HasSubstr("1025 bytes"));
  EXPECT_LT(errors[0].where.size() + errors[0].what.size(), 200U);
}

TEST(JsonText, KeepsSyntaxMessagesShort) {
  EXPECT_LT(ErrorsOf("{\"" + std::string(100000, 'k'))[0].what.size(), 300U);
}

TEST(JsonText, RefusesMoreThanSixteenMebibytes) {
  const std::string text = "{\"pteproof\": 1}";
  const size_t padding = (size_t{16} << 20) - text.size();
  EXPECT_TRUE(ParseManifest(text + std::string(padding, ' ')).ok());
  EXPECT_THAT(ErrorsOf(text + std::string(padding + 1, ' '))[0].what, HasSubstr("16777217 bytes"));
}

TEST(JsonText, KeepsTheListOfErrorsShort) {
  std::string text = "{\"pteproof\": 1, \"suppress\": [0";
  text += Repeated(",0", 4999) + "]}";
  const auto errors = ErrorsOf(text);
  ASSERT_EQ(errors.size(), 1001U);
  EXPECT_THAT(errors.back().what, HasSubstr("4000 more errors"));
}

TEST(JsonText, CutsLongTextInMessagesBetweenCharacters) {
  const auto errors =
      ErrorsOf("{\"pteproof\": 1, \"policy\": \"" + Repeated("\u00e9", 500) + "\"}");
  EXPECT_THAT(errors[0].what, HasSubstr("\"" + Repeated("\u00e9", 30) + "\"..."));
}

TEST(JsonText, SurvivesEveryTruncationOfAManifest) {
  const std::string text =
      R"({"pteproof": 1, "buffers": {"s": {"sizes": [1, 2]}}, "methods": {"m": {"reads": ["s"]}}})";
  EXPECT_TRUE(ParseManifest(text).ok());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(ParseManifest(text.substr(0, size)));
}

}  // namespace
}  // namespace pteproof
