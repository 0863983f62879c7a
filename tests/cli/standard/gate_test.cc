// What a standard accepts, what fails, and what it tells of itself: each against a report with one
// of everything (an error under `private`, a suppressed warning, an undecided note).
#include "cli/standard/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/standard/read_config.h"
#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

FileReport ReportWith(std::vector<Finding> findings) {
  FileReport report = SampleReport();
  report.report.findings = std::move(findings);
  report.report.verdicts = VerdictsOf(report.report.findings);
  for (const Finding& finding : report.report.findings) {
    report.fingerprints.push_back("of " + std::string(finding.rule));
  }
  return report;
}

FileReport Sample() {
  return ReportWith({SplitFinding(), SuppressedFinding(), UndecidedFinding()});
}

Finding Warning() {
  Finding finding = SuppressedFinding();
  finding.suppressed_because.clear();
  return finding;
}

Finding Everywhere() {
  Finding finding = SplitFinding();
  finding.policies = PolicySet::All();
  return finding;
}

Gate GateOf(const std::string& config, Baseline known = {}, const std::string& written = "") {
  auto standard = ReadConfig(config, "pteproof.toml");
  EXPECT_TRUE(standard.ok()) << config;
  return {std::move(standard).value(), std::move(known), written};
}

FileReport Held(FileReport report, const std::string& config) {
  Gate gate = GateOf(config);
  gate.Hold(report);
  return report;
}

TEST(Gate, ChangesNoVerdictAndFailsWhatFailedBefore) {
  const FileReport report = Held(Sample(), "");
  EXPECT_EQ(report.report.verdicts, Sample().report.verdicts);
  EXPECT_EQ(ExitCodeOf(report), ExitCodeOf(Sample()));
  EXPECT_THAT(report.standing->weights,
              ElementsAre(Weight::kError, Weight::kNothing, Weight::kUndecided));
  EXPECT_EQ(report.standing->source, "pteproof.toml");
}

TEST(Gate, LeavesFilesWithoutAVerdictAsTheyAre) {
  const FileReport report = Held(MalformedReport(), "ignore = [\"plan-waste\"]\nfail-on = []");
  EXPECT_FALSE(report.standing.has_value());
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kMalformed);
}

TEST(Gate, AcceptsWhatIsIgnored) {
  const FileReport report = Held(Sample(), "ignore = [\"state-split\", \"not-provable\"]");
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kSafe);
  EXPECT_EQ(VerdictWord(report), VerdictWord(Sample()));
  EXPECT_EQ(AcceptedOf(report), 2U);
  EXPECT_EQ(report.report.findings[0].suppressed_because, "ignored by pteproof.toml");
  EXPECT_EQ(report.report.findings[1].suppressed_because, "known");  // the manifest's word stays
  EXPECT_THAT(report.standing->broken, IsEmpty());
}

TEST(Gate, AcceptsWhatIsNotSelected) {
  const FileReport report = Held(Sample(), "select = [\"state-split\"]");
  EXPECT_EQ(report.report.findings[0].suppressed_because, "");
  EXPECT_EQ(report.report.findings[2].suppressed_because, "not among the rules of pteproof.toml");
  EXPECT_EQ(ExitCodeOf(Held(Sample(), "select = []")), ExitCode::kSafe);
}

TEST(Gate, AcceptsWhatASuppressionFits) {
  const std::string start = "[[suppress]]\nrule = \"state-split\"\nreason = \"why\"\n";
  EXPECT_EQ(Held(Sample(), start).report.findings[0].suppressed_because, "why (pteproof.toml:1)");
  const auto accepts = [&](const std::string& more) {
    return !Held(Sample(), start + more).report.findings[0].suppressed_because.empty();
  };
  EXPECT_TRUE(accepts("method = \"put\""));
  EXPECT_FALSE(accepts("method = \"get\""));
  EXPECT_TRUE(accepts("path = \"models/*.pte\""));
  EXPECT_FALSE(accepts("path = \"other/*.pte\""));
}

TEST(Gate, AcceptsForSomePaths) {
  const std::string ignore = "ignore = [\"state-split\", \"not-provable\"]";
  EXPECT_EQ(ExitCodeOf(Held(Sample(), "[[path]]\nglob = \"models/**\"\n" + ignore)),
            ExitCode::kSafe);
  EXPECT_NE(ExitCodeOf(Held(Sample(), "[[path]]\nglob = \"other/**\"\n" + ignore)),
            ExitCode::kSafe);
}

TEST(Gate, FailsOnWhatIsAskedFor) {
  const auto code = [](const Finding& finding, const std::string& fail_on) {
    return ExitCodeOf(Held(ReportWith({finding}), "fail-on = [" + fail_on + "]"));
  };
  EXPECT_EQ(code(Everywhere(), "\"error\""), ExitCode::kUnsafe);
  EXPECT_EQ(code(Everywhere(), ""), ExitCode::kSafe);
  EXPECT_EQ(code(SplitFinding(), "\"depends\""), ExitCode::kUndecided);
  EXPECT_EQ(code(SplitFinding(), "\"error\""), ExitCode::kSafe);
  EXPECT_EQ(code(UndecidedFinding(), "\"undecided\""), ExitCode::kUndecided);
  EXPECT_EQ(code(UndecidedFinding(), "\"error\""), ExitCode::kSafe);
  EXPECT_EQ(code(Warning(), "\"warning\""), ExitCode::kUnsafe);
  EXPECT_EQ(code(Warning(), "\"error\", \"undecided\", \"depends\""), ExitCode::kSafe);
}

TEST(Gate, SaysWhatFails) {
  const auto broken = [](const Finding& finding) {
    return Held(ReportWith({finding}),
                "fail-on = [\"error\", \"warning\", \"undecided\", \"depends\"]")
        .standing->broken;
  };
  EXPECT_THAT(broken(Everywhere()), ElementsAre("1 finding counts as an error"));
  EXPECT_THAT(broken(SplitFinding()), ElementsAre("the verdict depends on the loader"));
  EXPECT_THAT(broken(UndecidedFinding()), ElementsAre("1 finding leaves the verdict open"));
  EXPECT_THAT(broken(Warning()), ElementsAre("1 finding counts as a warning"));
}

TEST(Gate, CountsASeverityAsItIsTold) {
  const auto held = [](const Finding& finding, const std::string& config) {
    return Held(ReportWith({finding}), config);
  };
  const FileReport raised = held(Warning(), "severity = { phantom-slot = \"error\" }");
  EXPECT_EQ(ExitCodeOf(raised), ExitCode::kUnsafe);
  EXPECT_EQ(VerdictWord(raised), "safe");
  const FileReport lowered = held(Everywhere(), "severity = { state-split = \"warning\" }");
  EXPECT_EQ(ExitCodeOf(lowered), ExitCode::kSafe);
  EXPECT_EQ(VerdictWord(lowered), "unsafe");
  EXPECT_EQ(AcceptedOf(lowered), 1U);
  EXPECT_EQ(lowered.report.findings[0].suppressed_because, "counts as a warning by pteproof.toml");
  EXPECT_THAT(lowered.standing->weights, ElementsAre(Weight::kWarning));
  // The last path that fits overrides what is before it.
  const std::string paths =
      "severity = { phantom-slot = \"error\" }\n[[path]]\nglob = \"*.pte\"\n"
      "severity = { phantom-slot = \"note\" }\n";
  EXPECT_EQ(ExitCodeOf(held(Warning(), paths)), ExitCode::kSafe);
}

TEST(Gate, LooksOnlyAtTheLoaderThatCounts) {
  FileReport report = Sample();
  report.policy = Policy::kShareAll;  // the error is one of private loaders
  const FileReport held = Held(report, "fail-on = [\"error\"]");
  EXPECT_EQ(ExitCodeOf(held), ExitCode::kSafe);
  EXPECT_EQ(held.standing->weights[0], Weight::kNothing);
}

TEST(Gate, HoldsBudgets) {
  const std::string all = "ignore = [\"state-split\", \"not-provable\"]\n";
  // 160 + 32 bytes; bank 1 of put wastes 64.
  EXPECT_EQ(ExitCodeOf(Held(Sample(), all + "max-bytes = 192")), ExitCode::kSafe);
  const FileReport over = Held(Sample(), all + "max-bytes = 191\nmax-waste = \"put:1=63\"");
  EXPECT_EQ(ExitCodeOf(over), ExitCode::kUnsafe);
  EXPECT_THAT(over.standing->broken,
              ElementsAre("the program has 192 bytes, and max-bytes is 191",
                          "bank 1 of put has 160 bytes, 64 of them waste, and max-waste is "
                          "put:1=63"));
  // A path's budget overrides the general one.
  EXPECT_EQ(ExitCodeOf(Held(Sample(), all + "max-bytes = 1\n[[path]]\nglob = \"models/*\"\n"
                                            "max-bytes = 192")),
            ExitCode::kSafe);
}

Baseline Known(const std::string& file, std::vector<KnownFinding> findings) {
  Baseline baseline;
  baseline.files[file] = std::move(findings);
  return baseline;
}

constexpr const char* kWithBaseline = "baseline = \"known.json\"";
constexpr const char* kSampleName = "models/put get.pte";

TEST(Gate, AcceptsWhatTheBaselineKnowsAndFailsWhatIsNew) {
  FileReport report = ReportWith({Everywhere(), Everywhere(), UndecidedFinding()});
  Gate gate = GateOf(kWithBaseline, Known(kSampleName, {{"of state-split", 1, "", "", ""}}));
  gate.Hold(report);
  EXPECT_EQ(report.report.findings[0].suppressed_because, "known to the baseline known.json");
  EXPECT_EQ(report.report.findings[1].suppressed_because, "");
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kUnsafe);
  EXPECT_THAT(gate.Remarks(), IsEmpty());
}

TEST(Gate, TellsWhatIsGone) {
  Gate gate =
      GateOf(kWithBaseline, Known(kSampleName, {{"of state-split", 1, "state-split", "put", ""},
                                                {"another", 2, "plan-waste", "get", ""}}));
  FileReport report = Sample();
  gate.Hold(report);
  const std::vector<Remark> remarks = gate.Remarks();
  ASSERT_THAT(remarks, SizeIs(1));
  EXPECT_EQ(remarks[0].file, "known.json");
  EXPECT_EQ(remarks[0].text,
            "models/put get.pte: plan-waste of method get (2 times) is gone: write the baseline "
            "again");
}

TEST(Gate, SaysNothingOfFilesThatAreNotChecked) {
  Gate gate = GateOf(kWithBaseline, Known("other.pte", {{"x", 1, "plan-waste", "", ""}}));
  FileReport report = Sample();
  gate.Hold(report);
  EXPECT_THAT(gate.Remarks(), IsEmpty());
}

TEST(Gate, RecordsWhatCountsAndAcceptsIt) {
  Gate gate = GateOf("[[suppress]]\nrule = \"not-provable\"\nreason = \"why\"", {}, "new.json");
  FileReport report = ReportWith({Everywhere(), Everywhere(), Warning(), UndecidedFinding()});
  gate.Hold(report);
  EXPECT_EQ(ExitCodeOf(report), ExitCode::kSafe);
  const auto& known = gate.recorded().files.at(kSampleName);
  ASSERT_THAT(known, SizeIs(2));
  EXPECT_EQ(known[0].fingerprint, "of state-split");
  EXPECT_EQ(known[0].count, 2);
  EXPECT_EQ(known[0].explanation, "put stores it.");
  EXPECT_EQ(known[1].rule, "phantom-slot");
}

TEST(Gate, TellsOfSuppressionsThatFitNothing) {
  const std::string config = R"([[suppress]]
rule = "state-split"
reason = "used"
[[suppress]]
rule = "plan-overlap"
reason = "unused"
[[suppress]]
rule = "plan-overlap"
path = "elsewhere/*.pte"
reason = "not of these files"
)";
  Gate gate = GateOf(config);
  FileReport report = Sample();
  gate.Hold(report);
  const std::vector<Remark> remarks = gate.Remarks();
  ASSERT_THAT(remarks, SizeIs(1));
  EXPECT_EQ(remarks[0].line, 4U);
  EXPECT_THAT(remarks[0].text, HasSubstr("the suppression of plan-overlap fits no finding"));
}

TEST(Gate, TellsOfBudgetsThatFitNothing) {
  Gate gate = GateOf("max-bytes = [\"putt=1MiB\", \"put=1MiB\", \"1MiB\"]\nmax-waste = \":9=1\"");
  FileReport report = Sample();
  gate.Hold(report);
  ASSERT_THAT(gate.Remarks(), SizeIs(2));
  EXPECT_THAT(gate.Remarks()[0].text, HasSubstr("max-bytes 'putt=1MiB' fits no bank"));
  EXPECT_THAT(gate.Remarks()[1].text, HasSubstr("max-waste ':9=1' fits no bank"));
}

// A found manifest accepts the error, and its word does not count; the standard's does.
TEST(Gate, CountsOverAManifestThatIsNotTrusted) {
  Finding accepted = Everywhere();
  accepted.suppressed_because = "the manifest's";
  FileReport report = ReportWith({accepted});
  report.trusted = false;
  report.by_word = Overall::kUnsafe;
  const FileReport alone = Held(report, "");
  EXPECT_EQ(ExitCodeOf(alone), ExitCode::kUnsafe);
  EXPECT_TRUE(alone.by_word.has_value());
  const FileReport held = Held(report, "ignore = [\"state-split\"]");
  EXPECT_EQ(ExitCodeOf(held), ExitCode::kSafe);
  EXPECT_EQ(held.report.findings[0].suppressed_because, "ignored by pteproof.toml");
  EXPECT_FALSE(held.by_word.has_value());
}

TEST(PolicyFor, IsThatOfTheLastPathThatFits) {
  const auto standard = ReadConfig(
      "policy = \"share-all\"\n[[path]]\nglob = \"a/**\"\npolicy = \"private\"\n[[path]]\n"
      "glob = \"a/b/*\"\npolicy = \"share-1-2\"\n[[path]]\nglob = \"a/b/c.pte\"\n",
      "pteproof.toml");
  ASSERT_TRUE(standard.ok());
  EXPECT_EQ(PolicyFor(standard.value(), "m.pte"), Policy::kShareAll);
  EXPECT_EQ(PolicyFor(standard.value(), "a/m.pte"), Policy::kPrivate);
  EXPECT_EQ(PolicyFor(standard.value(), "a/b/c.pte"), Policy::kShare12);
}

}  // namespace
}  // namespace pteproof
