#include "properties/two_readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/verdict.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Finding FindingOf(std::string_view rule, Severity severity, int32_t instruction) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.method = "run";
  finding.instruction = instruction;
  return finding;
}

Finding OverlapAt(int32_t instruction) {
  return FindingOf(rule::kPlanOverlap, Severity::kError, instruction);
}

Report ReportOf(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

Manifest Parsed(std::string_view text) {
  auto manifest = ParseManifest(text);
  EXPECT_TRUE(manifest.ok()) << text;
  return manifest.ok() ? std::move(manifest).value() : Manifest{};
}

// The report of both readings.
Report Both(const Program& program, std::string_view manifest) {
  Report both = CheckWith(program, manifest);
  (void)AddFileAlone(Check(program), both);
  return both;
}

TEST(TwoReadings, AddsWhatOnlyTheFileAloneHasInTheOrderOfAReport) {
  Report with = ReportOf({OverlapAt(3), FindingOf(rule::kPlanWaste, Severity::kNote, 5)});
  const std::vector<bool> alone =
      AddFileAlone(ReportOf({OverlapAt(1), OverlapAt(3), OverlapAt(9)}), with);
  EXPECT_THAT(LinesOf(with), ElementsAre("error plan-overlap run#1", "error plan-overlap run#3",
                                         "error plan-overlap run#9", "note plan-waste run#5"));
  EXPECT_THAT(alone, ElementsAre(true, false, true, false));
}

TEST(TwoReadings, TellsAnOpenFindingOnceThatIsAnErrorWithTheManifest) {
  Finding open = FindingOf(rule::kStateSplit, Severity::kNote, 2);
  open.undecided = true;
  open.policies = PolicySet::Of(Policy::kPrivate);
  Finding error = FindingOf(rule::kStateSplit, Severity::kError, 2);
  error.policies = open.policies;
  Report with = ReportOf({error});
  EXPECT_THAT(AddFileAlone(ReportOf({open}), with), ElementsAre(false));
  EXPECT_EQ(with.verdicts, VerdictsOf({&error, 1}));

  open.policies = PolicySet::All();  // more than the error's
  with = ReportOf({error});
  EXPECT_THAT(AddFileAlone(ReportOf({open}), with), testing::SizeIs(2));

  open.policies = error.policies;
  error.suppressed_because = "known";
  with = ReportOf({error});
  EXPECT_THAT(AddFileAlone(ReportOf({open}), with), testing::SizeIs(2));
}

TEST(TwoReadings, LeavesOutRemarksOfTheFileAlone) {
  Finding doubt = FindingOf(rule::kNotProvable, Severity::kNote, 2);
  Report with = ReportOf({});
  const Report alone = ReportOf({FindingOf(rule::kPhantomSlot, Severity::kWarning, 1), doubt});
  EXPECT_THAT(AddFileAlone(alone, with), IsEmpty());
  EXPECT_EQ(VerdictRow(with), "safe safe safe");
  doubt.undecided = true;
  EXPECT_THAT(AddFileAlone(ReportOf({doubt}), with), ElementsAre(true));
  EXPECT_EQ(VerdictRow(with), "undecided undecided undecided");
}

TEST(TwoReadings, TellsAFindingOfBothOnceUnderThePoliciesOfEither) {
  Finding shared = OverlapAt(4);
  shared.policies = PolicySet::Of(Policy::kShareAll);
  shared.explanation = "with the manifest";
  Report with = ReportOf({shared});
  shared.policies = PolicySet::Of(Policy::kPrivate);
  shared.explanation = "alone";
  EXPECT_THAT(AddFileAlone(ReportOf({shared}), with), ElementsAre(false));
  EXPECT_THAT(LinesOf(with), ElementsAre("error plan-overlap run#4 under private share-all"));
  EXPECT_EQ(with.findings[0].explanation, "with the manifest");
  EXPECT_EQ(VerdictRow(with), "unsafe safe unsafe");
}

TEST(TwoReadings, TellsFindingsApartByAnyPartOfTheirPlace) {
  const Finding one = OverlapAt(4);
  std::vector<Finding> others(6, one);
  others[0].rule = rule::kAliasLifetime;
  others[1].method = "other";
  others[2].values = {1};
  others[3].bank = 2;
  others[4].bytes = ByteRange{0, 8};
  others[5].instruction = 5;
  for (const Finding& other : others) {
    Report with = ReportOf({one});
    EXPECT_EQ(AddFileAlone(ReportOf({other}), with).size(), 2U) << LineOf(other);
  }
}

TEST(TwoReadings, KeepsOverlaysOfBothOnly) {
  Report with = ReportOf({});
  with.overlays = {{"run", 5, 1}, {"run", 6, 2}};
  Report alone = ReportOf({});
  alone.overlays = {{"run", 6, 2}, {"other", 5, 1}};
  (void)AddFileAlone(alone, with);
  ASSERT_EQ(with.overlays.size(), 1U);
  EXPECT_EQ(with.overlays[0].output, 6);
}

TEST(TwoReadings, NamesTheAssumptionsOfTheReadingThatDecides) {
  Report with = ReportOf({});
  with.assumptions = {"a"};
  Report alone = ReportOf({});
  alone.assumptions = {"a", "b"};
  (void)AddFileAlone(alone, with);
  EXPECT_THAT(with.assumptions, ElementsAre("a"));
  alone = ReportOf({OverlapAt(1)});
  alone.assumptions = {"a", "b"};
  (void)AddFileAlone(alone, with);
  EXPECT_THAT(with.assumptions, ElementsAre("a", "b"));
}

TEST(SaysOfProgram, IsWhatTheCheckReads) {
  EXPECT_FALSE(SaysOfProgram(Parsed(R"({"pteproof": 1})")));
  EXPECT_FALSE(SaysOfProgram(Parsed(R"({"pteproof": 1, "policy": "private", "load": "lazy",
      "suppress": [{"rule": "plan-overlap", "reason": "x"}]})")));
  EXPECT_TRUE(SaysOfProgram(Parsed(R"({"pteproof": 1, "load": "all-first"})")));
  EXPECT_TRUE(SaysOfProgram(Parsed(R"({"pteproof": 1, "buffers": {}})")));
  EXPECT_TRUE(SaysOfProgram(Parsed(R"({"pteproof": 1, "methods": {"f": {}}})")));
}

// Results of a delegate in an order that no exporter lists: one of them is taken for an operand
// that nothing made, or by the manifest for a result.
Program DescendingResults() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 32, {8});
  b.Add(x, x, kept);
  for (const uint64_t offset : {80U, 112U}) b.Mul(kept, x, b.Planned(1, offset, {8}));
  const int32_t low = b.Planned(1, 128, {8});
  const int32_t high = b.Planned(1, 64, {8});
  b.Delegate({x, high, low});
  b.Output(kept);
  b.Output(low);
  b.Output(high);
  return ProgramOf({b.Build()});
}

TEST(TwoReadings, DelegatesOfTheManifestExcuseNothing) {
  const Program program = DescendingResults();
  EXPECT_EQ(VerdictRow(Check(program)), "unsafe unsafe unsafe");
  constexpr std::string_view kStated = R"({"pteproof": 1, "methods": {"forward":
      {"delegates": [{"index": 0, "outputs": 2}]}}})";
  EXPECT_EQ(VerdictRow(CheckWith(program, kStated)), "safe safe safe");
  EXPECT_EQ(VerdictRow(Both(program, kStated)), "unsafe unsafe unsafe");
}

// An input of the caller that is written: by the file alone nothing is wrong with it.
Program WritesItsInput() {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  b.Add(x, x, x);
  const int32_t out = b.Planned(1, 0, {8});
  b.Mul(x, x, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(TwoReadings, InPlaceInputsOnlyTakeBackWhatTheManifestAccusesOf) {
  const Program program = WritesItsInput();
  const Report alone = Check(program);
  const Report allowed = Both(program, R"({"pteproof": 1, "methods": {"forward":
      {"mutates_inputs": [], "in_place_inputs": [0], "outputs": [{"value": "result"}]}}})");
  EXPECT_EQ(allowed.verdicts, alone.verdicts);
  const Report accused = Both(program, R"({"pteproof": 1, "methods": {"forward":
      {"mutates_inputs": [], "in_place_inputs": [], "outputs": [{"value": "result"}]}}})");
  EXPECT_THAT(TroubleOf(accused), ElementsAre(HasSubstr("error in-place-alias forward")));
}

// State that is read and that no method stores to.
Program ReadsState() {
  MethodBuilder b("read");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t out = b.Planned(1, 0, {8});
  b.Add(level, level, out);
  b.Copy(level, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(TwoReadings, AnyInitialValueOnlyTakesBackWhatTheManifestAccusesOf) {
  const Program program = ReadsState();
  const Report any = Both(program, R"({"pteproof": 1, "buffers": {"level": {"initial": "any"}}})");
  EXPECT_EQ(any.verdicts, Check(program).verdicts);
  const Report stored =
      Both(program, R"({"pteproof": 1, "buffers": {"level": {"initial": "stored"}}})");
  EXPECT_EQ(VerdictRow(stored), "unsafe unsafe unsafe");
}

// Over the real programs with manifests that say too much of every method: never better than
// either reading.
TEST(TwoReadings, AreNeverBetterThanEither) {
  size_t excused = 0;
  for (const auto& file : ReadAllReal(std::string(PTEPROOF_CORPUS_DIR) + "/real", ".pte")) {
    if (!file->program) continue;
    Manifest manifest;
    manifest.all_first = true;
    for (const Method& method : file->program->methods) {
      ManifestMethod& stated = manifest.methods[method.name];
      stated.mutates.emplace();
      stated.reads.emplace();
      stated.delegates = {{0, 0}};
    }
    const Report alone = Check(*file->program);
    const Report with = Check(*file->program, {&manifest, true});
    Report both = with;
    const auto of_file = AddFileAlone(alone, both);
    EXPECT_EQ(of_file.size(), both.findings.size());
    EXPECT_TRUE(std::ranges::is_sorted(
        both.findings, {}, [](const Finding& f) { return -static_cast<int>(f.severity); }));
    for (size_t p = 0; p < both.verdicts.size(); ++p) {
      EXPECT_EQ(both.verdicts[p], std::max(alone.verdicts[p], with.verdicts[p])) << file->name;
      excused += with.verdicts[p] < alone.verdicts[p] ? 1 : 0;
    }
  }
  EXPECT_GE(excused, 5U);
}

}  // namespace
}  // namespace pteproof
