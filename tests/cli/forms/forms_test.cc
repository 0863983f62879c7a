// The forms for CIs: what each says of a report, and that nothing of a file's names gets out of its
// place.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/forms/compare_markdown.h"
#include "cli/forms/github.h"
#include "cli/forms/junit.h"
#include "cli/forms/markdown.h"
#include "cli/forms/markdown_text.h"
#include "cli/render/render_json.h"
#include "cli/render/render_sarif.h"
#include "cli/render/render_text.h"
#include "tests/cli/map/well_formed.h"
#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

FileReport SafeReport() {
  FileReport report;
  report.file = "good.pte";
  report.report.banks = {{"forward", 1, 2048, 2048, 1024, 0}};
  return report;
}

// Names as a file from elsewhere may have them.
FileReport HostileReport() {
  FileReport report = SampleReport();
  report.file = "a|b`c,d:e]]></failure>\n::error::x.pte";
  report.report.findings[0].method = "m`|@someone\n::set-output name=x::y";
  report.report.findings[0].explanation = "```\n::error::x\n</details><b>";
  return report;
}

FileReport StandingReport() {
  FileReport report = SampleReport();
  report.report.findings[0].suppressed_because = "ignored by --ignore";
  report.standing = Standing{"pteproof.toml",
                             ExitCode::kUnsafe,
                             {Weight::kNothing, Weight::kWarning, Weight::kNothing},
                             {"the program has 192 bytes, and max-bytes is 191"}};
  report.fingerprints = {"f0", "f1", "f2"};
  return report;
}

TEST(Junit, HasATestForEachFile) {
  const std::vector<FileReport> reports = {SampleReport(), SafeReport(), MalformedReport(),
                                           UnreadableReport()};
  const std::string text = RenderJunit(reports);
  EXPECT_EQ(XmlProblem(text.substr(text.find('\n') + 1)), "");
  EXPECT_THAT(text, HasSubstr("tests=\"4\" failures=\"1\" errors=\"2\""));
  EXPECT_THAT(text, HasSubstr("<testcase classname=\"pteproof\" name=\"good.pte\">\n<system-out>"));
  EXPECT_THAT(text, HasSubstr("<failure type=\"depends\" message=\"depends\">"));
  EXPECT_THAT(text, HasSubstr("<error type=\"malformed\""));
  EXPECT_THAT(text, HasSubstr("<error type=\"unreadable\""));
}

TEST(Junit, SaysWhichDemandIsNotMet) {
  const std::vector<FileReport> reports = {StandingReport()};
  EXPECT_THAT(RenderJunit(reports),
              HasSubstr("message=\"depends; the program has 192 bytes, and max-bytes is 191\""));
}

TEST(Junit, KeepsNamesOfFilesInTheirPlace) {
  const std::vector<FileReport> reports = {HostileReport()};
  const std::string text = RenderJunit(reports);
  EXPECT_EQ(XmlProblem(text.substr(text.find('\n') + 1)), "");
}

TEST(Github, AnnotatesWhatCounts) {
  const std::string text = RenderGithub(SampleReport(), false);
  EXPECT_THAT(text, StartsWith("::error file=models/put get.pte,title=pteproof%3A state-split::put "
                               "stores it.%0Aget never sees it.%0AFix: share the bank%0AAt: method "
                               "put, instruction 3, v0, v4, bank 2 [0,32)\n"));
  EXPECT_THAT(text,
              HasSubstr("::warning file=models/put get.pte,title=pteproof%3A not-provable::"));
  EXPECT_THAT(text, Not(HasSubstr("phantom-slot")));  // suppressed
  EXPECT_THAT(text, HasSubstr("\nmodels/put get.pte: depends, 1 suppressed\n"));
}

TEST(Github, AnnotatesFilesWithoutAVerdict) {
  EXPECT_THAT(RenderGithub(MalformedReport(), false),
              StartsWith("::error file=bad.pte,title=pteproof%3A file-root::the root table"));
  EXPECT_THAT(RenderGithub(UnreadableReport(), false),
              StartsWith("::error file=gone.pte,title=pteproof::No such file or directory\n"));
}

TEST(Github, AnnotatesDemandsThatAreNotMetAndTellsWhatIsAccepted) {
  const std::string text = RenderGithub(StandingReport(), false);
  EXPECT_THAT(text, HasSubstr("::error file=models/put get.pte,title=pteproof%3A standard::the "
                              "program has 192 bytes, and max-bytes is 191\n"));
  EXPECT_THAT(text, HasSubstr("::notice file=models/put get.pte,title=pteproof::findings accepted: "
                              "1\n"));
}

TEST(Github, WarnsOfErrorsThatDoNotFail) {
  FileReport report = StandingReport();
  report.standing = Standing{
      "pteproof.toml", ExitCode::kSafe, {Weight::kError, Weight::kNothing, Weight::kNothing}, {}};
  EXPECT_THAT(RenderGithub(report, false), StartsWith("::warning file=models/put get.pte,"));
}

TEST(Github, ShowsTenOfARuleUnlessAllAreAskedFor) {
  FileReport report = SampleReport();
  report.report.findings.assign(12, SplitFinding());
  const auto count = [](const std::string& text) {
    size_t found = 0;
    for (size_t at = text.find("::error"); at != std::string::npos;
         at = text.find("::error", at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count(RenderGithub(report, false)), 10U);
  EXPECT_EQ(count(RenderGithub(report, true)), 12U);
}

// The runner takes a command wherever a line starts with it.
TEST(Github, KeepsNamesOfFilesInTheirPlace) {
  const std::string text = "\n" + RenderGithub(HostileReport(), true);
  EXPECT_THAT(text, Not(HasSubstr("\n::error::x")));
  EXPECT_THAT(text, Not(HasSubstr("\n::set-output")));
  EXPECT_THAT(text, HasSubstr("file=a|b`c%2Cd%3Ae]]></failure>"));
  EXPECT_EQ(GithubNotice("a%b.toml", 3, "5%\nx"),
            "::notice file=a%25b.toml,line=3,title=pteproof::5%25%0Ax\n");
}

TEST(Markdown, HasTablesOfFilesAndOfMemory) {
  const std::vector<FileReport> reports = {SampleReport(), SafeReport(), UnreadableReport()};
  const std::string text = RenderMarkdown(reports, {"pteproof.toml:3: a remark"}, false);
  EXPECT_THAT(text, StartsWith("### pteproof: 3 files: 1 safe, 1 depends, 1 not judged"));
  EXPECT_THAT(text, HasSubstr("| `good.pte` | safe |  | 0 | 0 | 0 | 0 | 2,048 |\n"));
  EXPECT_THAT(text, HasSubstr("| `models/put get.pte` | **depends** |  | 1 | 1 | 0 | 0 | 192 |\n"));
  EXPECT_THAT(text, HasSubstr("| `good.pte` | `forward` | 1 | 2,048 | 1,024 | 1,024 |\n"));
  EXPECT_THAT(text, HasSubstr("<summary>models/put get.pte: depends</summary>"));
  EXPECT_THAT(text, HasSubstr("```text\npteproof.toml:3: a remark\n```\n"));
}

TEST(Markdown, SaysWhetherTheStandardIsMet) {
  FileReport met = StandingReport();
  met.standing->broken.clear();
  met.standing->code = ExitCode::kSafe;
  const std::vector<FileReport> reports = {StandingReport(), met};
  const std::string text = RenderMarkdown(reports, {}, false);
  EXPECT_THAT(text, HasSubstr("| **depends** | **not met** | 0 | 0 | 1 | 1 | 192 |"));
  EXPECT_THAT(text, HasSubstr("| depends | met | 0 | 0 | 1 | 1 | 192 |"));
}

TEST(Markdown, KeepsNamesOfFilesInTheirPlace) {
  const std::vector<FileReport> reports = {HostileReport()};
  const std::string text = RenderMarkdown(reports, {}, false);
  EXPECT_THAT(text, HasSubstr("| `a\\|b'c,d:e]]></failure>\\n::error::x.pte` |"));
  EXPECT_THAT(text, Not(HasSubstr("</failure>\n")));
  EXPECT_THAT(text, HasSubstr("<summary>a|b`c,d:e]]&gt;&lt;/failure&gt;\\n::error::x.pte: "));
  EXPECT_THAT(text, HasSubstr("'''\n"));  // no fence of the file's own
}

TEST(Markdown, MakesCodeAndNumbers) {
  EXPECT_EQ(MarkdownCode(""), "");
  EXPECT_EQ(MarkdownCode("a`b|c"), "`a'b\\|c`");
  EXPECT_EQ(DigitGroups(0), "0");
  EXPECT_EQ(DigitGroups(999), "999");
  EXPECT_EQ(DigitGroups(1234567), "1,234,567");
  EXPECT_EQ(MarkdownHead({"a", "b"}, 1), "| a | b |\n|---|---:|\n");
}

TEST(CompareMarkdown, HasATableOfMemoryAgainstTheBase) {
  ComparedFiles files = {"old.pte", "new.pte", {}, {}};
  files.old_sizes.file = 1000;
  files.new_sizes.file = 1100;
  compare::ProgramComparison comparison;
  comparison.memory = {
      {"forward", 1, {"forward", 1, 4096, 4096, 4096, 0}, {"forward", 1, 2048, 2048, 1024, 0}}};
  comparison.findings.added = {SplitFinding()};
  const std::string text = CompareMarkdown(files, comparison, {"findings"});
  EXPECT_THAT(text, StartsWith("### `new.pte`: **fails: findings**\n"));
  EXPECT_THAT(text, HasSubstr("| `forward` | 1 | 4,096 | 2,048 | -2,048 (-50.0%) | 0 | 1,024 |\n"));
  EXPECT_THAT(text, HasSubstr("| the file |  | 1,000 | 1,100 | +100 (+10.0%) |  |  |\n"));
  EXPECT_THAT(text, HasSubstr("- new: error `state-split` `put`: `put stores it.`\n"));
  EXPECT_THAT(CompareMarkdown(files, comparison, {}), StartsWith("### `new.pte`: nothing fails\n"));
}

TEST(Standing, IsInTextJsonAndSarif) {
  const FileReport report = StandingReport();
  const std::string text = RenderText(report, {});
  EXPECT_THAT(text, AllOf(HasSubstr("; standard not met\n"),
                          HasSubstr("  standard: pteproof.toml, not met:\n    the program has 192 "
                                    "bytes, and max-bytes is 191\n"),
                          HasSubstr("    Accepted: ignored by --ignore\n")));
  EXPECT_THAT(RenderJson(report),
              AllOf(HasSubstr(R"("standard":{"source":"pteproof.toml","met":false,"broken":["the)"),
                    HasSubstr(R"("counts_as":"warning","fingerprint":"f1")")));
  const std::vector<FileReport> reports = {report};
  EXPECT_THAT(RenderSarif(reports),
              AllOf(HasSubstr(R"("pteproof/1": "f0")"), HasSubstr(R"("met": false)"),
                    HasSubstr(R"("exitCode": 1)")));
  Tally tally;
  tally.Add(report);
  EXPECT_THAT(RenderTally(tally, {}), HasSubstr("standard not met: 1"));
  EXPECT_THAT(RenderJson(SampleReport()), Not(HasSubstr("\"standard\"")));
}

}  // namespace
}  // namespace pteproof
