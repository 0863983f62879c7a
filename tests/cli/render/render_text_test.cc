#include "cli/render/render_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string RenderedText(const FileReport& report) {
  return RenderText(report, {});
}

TEST(RenderText, BeginsWithTheVerdictAndTheRowOfPolicies) {
  EXPECT_THAT(
      RenderedText(SampleReport()),
      StartsWith(
          "models/put get.pte: depends, 1 suppressed\n"
          "  private    unsafe     C++ Module's default and _load_for_executorch from 1.0\n"));
}

TEST(RenderText, SaysUnderWhichLoadersADependingFileIsSafe) {
  FileReport report = SampleReport();
  report.report.findings.pop_back();
  report.report.verdicts = VerdictsOf(report.report.findings);
  const std::string text = RenderedText(report);
  EXPECT_THAT(text, HasSubstr("  share-all  safe       the Python Runtime and _load_for_executorch "
                              "up to 0.7\n"));
  EXPECT_THAT(text, HasSubstr("  private    unsafe     C++ Module's default and "));
  EXPECT_THAT(text, HasSubstr("--policy private|share-1-2|share-all"));
}

TEST(RenderText, NamesTheLoadersWhereAllAgree) {
  FileReport report = SampleReport();
  report.report.findings.clear();
  report.report.verdicts.fill(Verdict::kSafe);
  EXPECT_THAT(RenderedText(report),
              StartsWith("models/put get.pte: safe\n"
                         "  private    safe       C++ Module's default and _load_for_executorch "
                         "from 1.0\n"
                         "  share-1-2  safe       Module with shared arenas from 1.2\n"
                         "  share-all  safe       the Python Runtime and _load_for_executorch up "
                         "to 0.7\n"
                         "  manifest: "));
  report.report.verdicts.fill(Verdict::kUnsafe);
  const std::string text = RenderedText(report);
  EXPECT_THAT(text,
              HasSubstr("  private    unsafe     C++ Module's default and _load_for_executorch "));
  EXPECT_THAT(text, Not(HasSubstr("--policy")));
}

TEST(RenderText, EndsAFindingWithItsFix) {
  EXPECT_THAT(RenderedText(SampleReport()), HasSubstr("    get never sees it.\n"
                                                      "    Fix: share the bank\n"
                                                      "    More: pteproof rules state-split\n"));
}

TEST(RenderText, TellsTheFirstAndTheWorstInstanceOfACause) {
  FileReport report = SampleReport();
  report.report.findings = {GroupedFinding()};
  const std::string text = RenderedText(report);
  EXPECT_THAT(text, HasSubstr("method put, 2 instances of one cause, instruction 3, v0, v4"));
  EXPECT_THAT(text, HasSubstr("    get never sees it.\n"
                              "    This is the first instance. The one with the most bytes, 64:\n"
                              "    put stores another.\n"
                              "    get misses it.\n"
                              "    Fix: share the bank\n"));
  std::swap(report.report.findings[0].instances[0].bytes,
            report.report.findings[0].instances[1].bytes);
  EXPECT_THAT(RenderedText(report), HasSubstr("first instance. No other loses more bytes.\n"));
}

TEST(RenderText, NamesTheTextOfEachRuleOnceInARun) {
  FileReport report = SampleReport();
  report.report.findings.push_back(report.report.findings.front());
  std::set<std::string_view> told;
  TextOptions options;
  options.told = &told;
  const std::string first = RenderText(report, options);
  const size_t at = first.find("More: pteproof rules state-split\n");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(first.find("More: pteproof rules state-split\n", at + 1), std::string::npos);
  EXPECT_THAT(first, HasSubstr("More: pteproof rules not-provable\n"));
  EXPECT_THAT(RenderText(report, options), Not(HasSubstr("More: ")));
}

TEST(RenderText, DoesNotAskForAPolicyThatWasChosen) {
  FileReport report = SampleReport();
  report.policy = Policy::kPrivate;
  const std::string text = RenderedText(report);
  EXPECT_THAT(text, StartsWith("models/put get.pte: unsafe with C++ Module's default (private)"));
  EXPECT_THAT(text, Not(HasSubstr("--policy")));
  EXPECT_THAT(text, HasSubstr("share-all           undecided"));
}

TEST(RenderText, PutsAFindingsPlaceOnOneLineAndItsExplanationBelow) {
  EXPECT_THAT(RenderedText(SampleReport()),
              HasSubstr("  error state-split  [private]  method put, instruction 3, v0, v4, "
                        "bank 2 [0,32)\n    put stores it.\n    get never sees it.\n"));
}

TEST(RenderText, ShowsSuppressedFindingsWithTheirReason) {
  EXPECT_THAT(RenderedText(SampleReport()),
              HasSubstr("  warning phantom-slot  method get\n    nobody touches v3\n"
                        "    Suppressed: known\n"));
}

TEST(RenderText, CountsAcceptedFindingsApartFromSuppressedOnes) {
  FileReport report = SampleReport();
  report.report.findings[0].suppressed_because = "only get is called";
  EXPECT_THAT(RenderedText(report),
              StartsWith("models/put get.pte: depends, 1 suppressed, 1 accepted\n"));
  EXPECT_THAT(RenderedText(report), HasSubstr("    Accepted: only get is called\n"));
}

TEST(RenderText, NamesTheManifestByWhoseWordAFileIsSafe) {
  FileReport report = SampleReport();
  report.trusted = false;
  report.by_word = Overall::kSafe;
  report.file_alone = {true, false, false};
  const std::string text = RenderedText(report);
  EXPECT_THAT(text, StartsWith("models/put get.pte: depends, 1 suppressed; safe according to "
                               "put get.manifest.json: name it with --manifest\n"));
  EXPECT_THAT(text, HasSubstr("    Fix: share the bank\n"
                              "    Only without the manifest, which is not trusted.\n"));
  EXPECT_THAT(text, Not(HasSubstr("\"policy\" in the manifest")));
}

TEST(RenderText, OnlyCountsFindingsOfOtherPolicies) {
  FileReport report = SampleReport();
  report.policy = Policy::kShareAll;
  const std::string text = RenderedText(report);
  EXPECT_THAT(text, Not(HasSubstr("state-split")));
  EXPECT_THAT(text, HasSubstr("1 more under other loaders than share-all"));
}

TEST(RenderText, ShowsBanksAssumptionsAndOverlays) {
  const std::string text = RenderedText(SampleReport());
  EXPECT_THAT(text,
              HasSubstr("  bytes of method  bank  size  peak  peak live  waste       phantom\n"
                        "  put                 1   160   144         96     64  40%       16\n"));
  EXPECT_THAT(text, HasSubstr("assumes that all stores are there\n"));
  EXPECT_THAT(text, HasSubstr("method get: output v5 may lie on the memory of input v1\n"));
}

TEST(RenderText, ShowsWhatEarlierStoresSaveIfThatIsAnything) {
  FileReport report = SampleReport();
  EXPECT_THAT(RenderedText(report), Not(HasSubstr("early stores")));
  report.report.banks[0].early_stores = 32;
  EXPECT_THAT(
      RenderedText(report),
      HasSubstr(
          "  bytes of method  bank  size  peak  peak live  waste       phantom  early stores\n"
          "  put                 1   160   144         96     64  40%       16            32\n"));
}

TEST(RenderText, CutsALongListOfOneRule) {
  FileReport report = SampleReport();
  report.report.findings.assign(25, report.report.findings[0]);
  EXPECT_THAT(RenderedText(report), HasSubstr("and 15 more: error state-split (--all shows them)"));
  EXPECT_THAT(RenderText(report, {.paint = {}, .all = true}), Not(HasSubstr("more:")));
}

TEST(RenderText, MakesNamesHarmless) {
  FileReport report = SampleReport();
  report.file = "a\x1b[2J.pte";
  report.report.findings[0].method = "m\x1b[2J";
  report.report.findings[0].explanation = "s\x1b[2J";
  report.report.banks[0].method = "m\x1b[2J";
  EXPECT_THAT(RenderedText(report), Not(HasSubstr("\x1b")));
}

TEST(RenderText, IsOneLineWhenQuiet) {
  EXPECT_EQ(RenderText(SampleReport(), {.paint = {}, .quiet = true}),
            "models/put get.pte: depends, 1 suppressed\n");
}

TEST(RenderText, ShowsColoursOnlyWhenAsked) {
  EXPECT_THAT(RenderText(SampleReport(), {.paint = {true}}), HasSubstr("\x1b[1;31merror\x1b[0m"));
  EXPECT_THAT(RenderedText(SampleReport()), Not(HasSubstr("\x1b")));
}

TEST(RenderText, SaysWhyAFileHasNoVerdict) {
  EXPECT_THAT(RenderedText(UnreadableReport()),
              StartsWith("gone.pte: unreadable\n  No such file or directory\n"));
  EXPECT_THAT(RenderedText(MalformedReport()),
              HasSubstr("  error file-root  file bytes [0,4)\n    the root table lies outside\n"));
}

TEST(RenderTally, CountsVerdictsAndSuppressions) {
  Tally tally;
  tally.Add(SampleReport());
  tally.Add(MalformedReport());
  tally.Add(UnreadableReport());
  EXPECT_EQ(RenderTally(tally, {}),
            "3 files: 1 depends, 1 malformed, 1 not judged, findings suppressed: 1\n");
  EXPECT_EQ(tally.worst, ExitCode::kUnreadable);
}

TEST(RenderTally, CountsAcceptedFindingsAndManifestsThatWouldBetterAFile) {
  FileReport report = SampleReport();
  report.report.findings[0].suppressed_because = "known";
  report.trusted = false;
  report.by_word = Overall::kUndecided;
  Tally tally;
  tally.Add(report);
  tally.Add(SampleReport());
  EXPECT_EQ(RenderTally(tally, {}),
            "2 files: 2 depends, findings accepted: 1, findings suppressed: 2, better "
            "according to a manifest: 1 (--trust-manifests)\n");
}

}  // namespace
}  // namespace pteproof
