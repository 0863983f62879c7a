#include "cli/standard/trust_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

using ::testing::HasSubstr;

const std::string kOld(64, 'a');
const std::string kNew(64, 'b');

ConfigWithTrust Made(const std::string& text, const TrustEntry& entry) {
  const auto made = WithTrustEntry(text, entry);
  EXPECT_TRUE(made.ok()) << made.error();
  return made.ok() ? made.value() : ConfigWithTrust{};
}

TEST(TrustEntry, IsThreeLinesInANewConfig) {
  const ConfigWithTrust made = Made("", {"a.manifest.json", kNew});
  EXPECT_EQ(made.text, "[[trust]]\nmanifest = \"a.manifest.json\"\nsha256 = \"" + kNew + "\"\n");
  EXPECT_EQ(made.change, EntryChange::kAdded);
  EXPECT_THAT(Made("", {"a", kNew, Policy::kPrivate}).text, HasSubstr("\npolicy = \"private\"\n"));
}

TEST(TrustEntry, ComesAfterAllElse) {
  const std::string before =
      "# mine\npolicy='share-all'   # so\n\n[severity]\nplan-waste = \"note\"";
  const ConfigWithTrust made = Made(before, {"a", kNew});
  EXPECT_EQ(made.text, before + "\n\n[[trust]]\nmanifest = \"a\"\nsha256 = \"" + kNew + "\"\n");
  EXPECT_THAT(Made("load = \"lazy\"\r\n", {"a", kNew}).text,
              HasSubstr("load = \"lazy\"\r\n\r\n[[trust]]\r\nmanifest = \"a\"\r\n"));
}

TEST(TrustEntry, ReplacesTheHashOfItsManifestAlone) {
  const std::string before = "[[trust]]\nmanifest = \"a\"\nsha256 = \"" + kOld +
                             "\"\n\n[[trust]] # mine\nsha256 = '" + kOld +
                             "' # seen\nmanifest = \"./b\"\npolicy = \"private\"\n";
  std::string expected = before;
  expected.replace(expected.rfind(kOld), kOld.size(), kNew);
  const ConfigWithTrust made = Made(before, {"b", kNew});
  EXPECT_EQ(made.text, expected);
  EXPECT_EQ(made.change, EntryChange::kReplaced);
  EXPECT_EQ(Made(expected, {"b", kNew}).change, EntryChange::kKept);
}

TEST(TrustEntry, ReplacesThePolicyIfOneIsNamed) {
  const std::string before =
      "[[trust]]\nmanifest = \"a\"\nsha256 = \"" + kOld + "\"\npolicy = \"private\"\n";
  EXPECT_EQ(Made(before, {"a", kOld, Policy::kShareAll}).text,
            "[[trust]]\nmanifest = \"a\"\nsha256 = \"" + kOld + "\"\npolicy = \"share-all\"\n");
  const std::string without = "[[trust]]\nsha256 = \"" + kOld + "\"\nmanifest = \"a\"\n";
  EXPECT_EQ(Made(without, {"a", kNew, Policy::kPrivate}).text,
            "[[trust]]\nsha256 = \"" + kNew + "\"\npolicy = \"private\"\nmanifest = \"a\"\n");
}

TEST(TrustEntry, IsFoundInAListInOneLine) {
  const std::string before = "trust = [{manifest = \"a\", sha256 = \"" + kOld + "\"}]\n";
  EXPECT_EQ(Made(before, {"a", kNew, Policy::kPrivate}).text,
            "trust = [{manifest = \"a\", sha256 = \"" + kNew + "\", policy = \"private\"}]\n");
}

TEST(TrustEntry, IsLeftToTheUserWhereAListInBracketsHasNoRoomForIt) {
  const auto made = WithTrustEntry("trust = []\n", {"a", kNew});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error(), HasSubstr("by hand:\n[[trust]]\nmanifest = \"a\""));
  EXPECT_FALSE(WithTrustEntry("trust = 1\n", {"a", kNew}).ok());
  EXPECT_FALSE(WithTrustEntry("trust = \n", {"a", kNew}).ok());
}

TEST(TrustEntry, QuotesNamesAsTomlDoes) {
  const std::string name = "a \"b\"\\\n\x01.manifest.json";
  const ConfigWithTrust made = Made("", {name, kOld});
  EXPECT_THAT(made.text, HasSubstr(R"(manifest = "a \"b\"\\\n\u0001.manifest.json")"));
  EXPECT_EQ(Made(made.text, {name, kNew}).change, EntryChange::kReplaced);
  EXPECT_FALSE(WithTrustEntry("", {"a\xff", kOld}).ok());
}

}  // namespace
}  // namespace pteproof
