#include "cli/render/trust_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TrustWords, SayNothingWhereNothingIsAcceptedOrBetter) {
  EXPECT_EQ(TrustWords("unsafe", 0, std::nullopt, "a/b.manifest.json"), "");
  EXPECT_EQ(TrustWords(SampleReport()), "");
}

TEST(TrustWords, CountWhatATrustedManifestAccepts) {
  EXPECT_EQ(TrustWords("unsafe", 2, std::nullopt, "a/b.manifest.json"), ", 2 accepted");
}

TEST(TrustWords, NameTheManifestAndWhatToDo) {
  EXPECT_EQ(TrustWords("unsafe", 0, "safe", "a/b.manifest.json"),
            "; safe according to b.manifest.json: name it with --manifest");
  EXPECT_EQ(TrustWords("unsafe", 2, "depends", "a/b.manifest.json"),
            ", 2 accepted; depends according to b.manifest.json: name it with --manifest");
}

TEST(TrustWords, NameTheQuestionsAndTheCommandWhereAConfigMayTrustIt) {
  FileReport report = SampleReport();
  report.trusted = false;
  report.by_word = Overall::kSafe;
  report.in_standard = true;
  report.settled = {"state-split", "phantom-slot", "the loader"};
  EXPECT_EQ(TrustWords(report),
            "; safe according to put get.manifest.json, which settles state-split, phantom-slot "
            "and the loader: pteproof trust 'models/put get.pte'");
}

TEST(TrustWords, SayByWhoseWordErrorsAreAcceptedWhereTheVerdictStays) {
  EXPECT_EQ(TrustWords("unsafe", 2, "unsafe", "b.manifest.json"),
            ", 2 accepted according to b.manifest.json: name it with --manifest");
}

TEST(TrustWords, MakeNamesHarmless) {
  EXPECT_THAT(ByTheWordOf("a\x1b[2J.manifest.json"), Not(HasSubstr("\x1b")));
}

TEST(TrustWords, AreForFilesWithAVerdictOnly) {
  FileReport report = MalformedReport();
  report.by_word = Overall::kSafe;
  EXPECT_EQ(TrustWords(report), "");
}

}  // namespace
}  // namespace pteproof
