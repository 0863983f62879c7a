#include "cli/load/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/rule_names.h"
#include "properties/suppress.h"
#include "properties/verdict.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

constexpr Verdict kSafe = Verdict::kSafe;
constexpr Verdict kUndecided = Verdict::kUndecided;
constexpr Verdict kUnsafe = Verdict::kUnsafe;

TEST(ManifestFor, TakesTheOneBesideTheFileAndDoesNotTrustIt) {
  const TempFolder folder;
  const std::string file = folder.Write("a.pte", "");
  EXPECT_EQ(ManifestFor(file, {}).path, "");
  EXPECT_TRUE(ManifestFor(file, {}).trusted);
  const std::string beside = folder.Write("a.manifest.json", "{}");
  EXPECT_EQ(ManifestFor(file, {}).path, beside);
  EXPECT_FALSE(ManifestFor(file, {}).trusted);
  EXPECT_TRUE(ManifestFor(file, {"", false, true, {}}).trusted);
  EXPECT_EQ(ManifestFor(file, {"", true, false, {}}).path, "");
}

TEST(ManifestFor, TrustsTheOneThatAnEntryNames) {
  const TempFolder folder;
  const std::string file = folder.Write("a.pte", "");
  const std::string beside = folder.Write("a.manifest.json", "{}");
  const TrustedManifest entry = {folder.path() + "/sub/../a.manifest.json", "12", std::nullopt,
                                 "c:1"};
  ManifestChoice choice;
  choice.entries = {{folder.path() + "/b.manifest.json", "34"}};
  EXPECT_FALSE(ManifestFor(file, choice).trusted);
  choice.entries.push_back(entry);
  const ManifestSource source = ManifestFor(file, choice);
  EXPECT_TRUE(source.trusted);
  EXPECT_EQ(source.path, beside);
  EXPECT_EQ(source.entry->sha256, "12");
  // The command line's word overrides all entries.
  choice.named = beside;
  EXPECT_FALSE(ManifestFor(file, choice).entry.has_value());
  choice.named.clear();
  EXPECT_FALSE(ManifestFor(folder.Write("c.pte", ""), choice).entry.has_value());
}

TEST(TrustCommand, IsWhatAShellTakes) {
  EXPECT_EQ(TrustCommand("models/a-1.pte"), "pteproof trust models/a-1.pte");
  EXPECT_EQ(TrustCommand("my model's.pte"), "pteproof trust 'my model'\\''s.pte'");
  EXPECT_EQ(TrustCommand("-a.pte"), "pteproof trust ./-a.pte");
  EXPECT_EQ(TrustCommand("a\x1b[2J.pte"), "pteproof trust 'a\\x1b[2J.pte'");
}

TEST(ManifestFor, TrustsTheOneThatIsNamedAlsoWhereItLiesBesideTheFile) {
  const TempFolder folder;
  const std::string file = folder.Write("a.pte", "");
  const std::string beside = folder.Write("a.manifest.json", "{}");
  for (const std::string& named : {std::string("other.json"), beside}) {
    EXPECT_EQ(ManifestFor(file, {named, false, false, {}}).path, named);
    EXPECT_TRUE(ManifestFor(file, {named, false, false, {}}).trusted);
  }
}

TEST(LoaderToJudge, IsTheOneThatTheCommandAsksFor) {
  EXPECT_EQ(LoaderToJudge({kSafe, kUnsafe, kSafe}, Policy::kShareAll, Policy::kShare12),
            Policy::kShareAll);
  EXPECT_EQ(LoaderToJudge({kSafe, kUnsafe, kSafe}, Policy::kShareAll, std::nullopt),
            Policy::kShareAll);
  EXPECT_EQ(LoaderToJudge({kSafe, kUnsafe, kSafe}, std::nullopt, std::nullopt), std::nullopt);
}

TEST(LoaderToJudge, IsTheManifestsUnlessThatBettersTheVerdict) {
  const Verdicts mixed = {kSafe, kUndecided, kUnsafe};
  EXPECT_EQ(LoaderToJudge(mixed, std::nullopt, Policy::kPrivate), std::nullopt);
  EXPECT_EQ(LoaderToJudge(mixed, std::nullopt, Policy::kShare12), std::nullopt);
  EXPECT_EQ(LoaderToJudge(mixed, std::nullopt, Policy::kShareAll), Policy::kShareAll);
  for (const Verdict each : {kSafe, kUndecided, kUnsafe}) {
    EXPECT_EQ(LoaderToJudge({each, each, each}, std::nullopt, Policy::kShare12), Policy::kShare12);
  }
}

Finding OverlapUnder(PolicySet policies) {
  Finding finding;
  finding.rule = rule::kPlanOverlap;
  finding.policies = policies;
  return finding;
}

Report ReportWith(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

// Judged with a manifest that names that loader.
FileReport JudgedWith(std::vector<Finding> findings, std::optional<Policy> stated) {
  FileReport report;
  report.report = ReportWith(std::move(findings));
  report.policy = stated;
  return report;
}

TEST(Distrust, ShowsTheVerdictThatTheManifestWouldGive) {
  FileReport report = JudgedWith({}, std::nullopt);
  Distrust(ReportWith({OverlapUnder(PolicySet::All())}), std::nullopt, report);
  EXPECT_EQ(VerdictWord(report), "unsafe");
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kUnsafe);
  EXPECT_EQ(report.by_word, Overall::kSafe);
  EXPECT_THAT(report.settled, testing::ElementsAre(rule::kPlanOverlap));
  EXPECT_TRUE(IsOfFileAlone(report, 0));
  EXPECT_FALSE(IsOfFileAlone(report, 1));
}

TEST(Distrust, LetsTheManifestMakeAVerdictWorse) {
  FileReport report = JudgedWith({OverlapUnder(PolicySet::All())}, std::nullopt);
  Distrust(ReportWith({}), std::nullopt, report);
  EXPECT_EQ(VerdictWord(report), "unsafe");
  EXPECT_EQ(report.by_word, std::nullopt);
}

TEST(Distrust, AsksUnderAllLoadersWhereTheManifestsIsTheBestOne) {
  const std::vector<Finding> findings = {OverlapUnder(PolicySet::Of(Policy::kShareAll))};
  FileReport better = JudgedWith(findings, Policy::kPrivate);
  Distrust(better.report, std::nullopt, better);
  EXPECT_EQ(VerdictWord(better), "depends");
  EXPECT_EQ(better.by_word, Overall::kSafe);
  EXPECT_THAT(better.settled, testing::ElementsAre("the loader"));
  FileReport worse = JudgedWith(findings, Policy::kShareAll);
  Distrust(worse.report, std::nullopt, worse);
  EXPECT_EQ(VerdictWord(worse), "unsafe");
  EXPECT_EQ(worse.policy, Policy::kShareAll);
  EXPECT_EQ(worse.by_word, std::nullopt);
  FileReport asked = JudgedWith(findings, Policy::kPrivate);
  Distrust(asked.report, Policy::kPrivate, asked);
  EXPECT_EQ(VerdictWord(asked), "safe");
  EXPECT_EQ(asked.by_word, std::nullopt);
}

TEST(Distrust, FailsForAcceptedErrorsThatATrustedManifestLetsPass) {
  Finding accepted = OverlapUnder(PolicySet::All());
  accepted.suppressed_because = "known";
  FileReport report = JudgedWith({accepted}, std::nullopt);
  EXPECT_EQ(VerdictWord(report), "unsafe");
  EXPECT_EQ(AcceptedOf(report), 1U);
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kSafe);
  Distrust(ReportWith({OverlapUnder(PolicySet::All())}), std::nullopt, report);
  EXPECT_EQ(AcceptedOf(report), 1U);
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kUnsafe);
  EXPECT_EQ(report.by_word, Overall::kUnsafe);
}

TEST(ExitCode, OfATrustedManifestIsThatOfWhatItDoesNotAccept) {
  Finding accepted = OverlapUnder(PolicySet::All());
  accepted.suppressed_because = "known";
  Finding doubt;
  doubt.rule = rule::kNotProvable;
  doubt.severity = Severity::kNote;
  doubt.undecided = true;
  const FileReport report = JudgedWith({accepted, doubt}, std::nullopt);
  EXPECT_EQ(VerdictWord(report), "unsafe");
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kUndecided);
}

}  // namespace
}  // namespace pteproof
