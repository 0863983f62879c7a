#include "cli/render/render_sarif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "pteproof/rules.h"
#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

Json RunOf(std::span<const FileReport> reports) {
  return Json::parse(RenderSarif(reports))["runs"][0];
}

Json RunOf(const FileReport& report) {
  return RunOf(std::span(&report, 1));
}

TEST(RenderSarif, IsOneRunOfVersion210WithAllRules) {
  const Json log = Json::parse(RenderSarif({}));
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_EQ(log["runs"].size(), 1U);
  const Json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "pteproof");
  EXPECT_EQ(driver["rules"].size(), AllRules().size());
  EXPECT_EQ(driver["rules"][0]["id"], "plan-overlap");
  EXPECT_EQ(log["runs"][0]["results"], Json::array());
}

TEST(RenderSarif, LinksToTheDocumentationOfEachRule) {
  const Json driver = Json::parse(RenderSarif({}))["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["informationUri"], "pteproof:README.md");
  for (const Json& rule : driver["rules"]) {
    EXPECT_EQ(rule["helpUri"], "pteproof:docs/reference/rules.md#" + rule["id"].get<std::string>());
  }
}

TEST(RenderSarif, TellsTheFixAfterTheExplanation) {
  const Json run = RunOf(SampleReport());
  EXPECT_EQ(run["results"][0]["message"]["text"],
            "put stores it.\nget never sees it.\nFix: share the bank");
}

TEST(RenderSarif, GivesAResultForEachFinding) {
  const Json run = RunOf(SampleReport());
  ASSERT_EQ(run["results"].size(), 3U);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "state-split");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], "state-split");
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["message"]["text"], "put stores it.\nget never sees it.\nFix: share the bank");
  EXPECT_EQ(run["results"][1]["level"], "warning");
  EXPECT_EQ(run["results"][2]["level"], "note");
}

TEST(RenderSarif, SaysWhereInTheFileAndInTheProgram) {
  const Json run = RunOf(SampleReport());
  const Json& location = run["results"][0]["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "models/put%20get.pte");
  EXPECT_EQ(location["logicalLocations"][0]["name"], "put");
  EXPECT_EQ(location["logicalLocations"][0]["fullyQualifiedName"], "put/3");
  EXPECT_FALSE(run["results"][2]["locations"][0].contains("logicalLocations"));
}

TEST(RenderSarif, SaysWhichBytesOfAMalformedFile) {
  const Json run = RunOf(MalformedReport());
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["region"],
            Json::parse(R"({"byteOffset": 0, "byteLength": 4})"));
}

TEST(RenderSarif, MarksSuppressedResults) {
  const Json run = RunOf(SampleReport());
  EXPECT_FALSE(run["results"][0].contains("suppressions"));
  EXPECT_EQ(run["results"][1]["suppressions"],
            Json::parse(R"([{"kind": "external", "justification": "known"}])"));
}

TEST(RenderSarif, LeavesSuppressionsOfAManifestThatIsNotTrustedToBeReviewed) {
  FileReport report = SampleReport();
  report.trusted = false;
  EXPECT_EQ(
      RunOf(report)["results"][1]["suppressions"],
      Json::parse(R"([{"kind": "external", "status": "underReview", "justification": "known"}])"));
}

TEST(RenderSarif, CountsAcceptedFindingsAndMarksThoseOfTheFileAlone) {
  FileReport report = SampleReport();
  report.report.findings[0].suppressed_because = "known";
  report.trusted = false;
  report.by_word = Overall::kSafe;
  report.file_alone = {false, false, true};
  const Json run = RunOf(report);
  EXPECT_EQ(run["artifacts"][0]["properties"]["accepted"], 1);
  EXPECT_EQ(run["artifacts"][0]["properties"]["byWord"], "safe");
  EXPECT_FALSE(run["results"][0]["properties"].contains("fileAlone"));
  EXPECT_EQ(run["results"][2]["properties"]["fileAlone"], true);
}

TEST(RenderSarif, LeavesOutWhatTheChosenPolicyDoesNotSee) {
  FileReport report = SampleReport();
  report.policy = Policy::kShareAll;
  const Json run = RunOf(report);
  ASSERT_EQ(run["results"].size(), 2U);
  EXPECT_EQ(run["results"][0]["ruleId"], "phantom-slot");
}

TEST(RenderSarif, ReportsUnreadableFilesAsNotifications) {
  const std::array reports = {SampleReport(), UnreadableReport()};
  const Json run = RunOf(reports);
  const Json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["exitCode"], 66);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"],
            "No such file or directory");
  EXPECT_EQ(run["artifacts"].size(), 2U);
  EXPECT_EQ(run["artifacts"][0]["properties"]["verdict"], "depends");
}

TEST(RenderSarif, HasEachFileAmongTheArtifactsOnce) {
  const std::array reports = {UnreadableReport(), SampleReport(), UnreadableReport()};
  const Json run = RunOf(reports);
  ASSERT_EQ(run["artifacts"].size(), 2U);
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "gone.pte");
  EXPECT_EQ(run["artifacts"][1]["location"]["uri"], "models/put%20get.pte");
}

TEST(RenderSarif, SucceedsWhereAllFilesHaveAVerdict) {
  const Json run = RunOf(SampleReport());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
}

TEST(ToUri, EncodesWhatAUriMayNotHold) {
  EXPECT_EQ(ToUri("a b/c%#?.pte"), "a%20b/c%25%23%3F.pte");
  EXPECT_EQ(ToUri("\xff:\n"), "%FF%3A%0A");
}

TEST(ToUri, MakesAbsolutePathsFileUris) {
  EXPECT_EQ(ToUri("/tmp/a.pte"), "file:///tmp/a.pte");
  EXPECT_EQ(ToUri("//tmp/a.pte"), "file:///tmp/a.pte");
  EXPECT_EQ(ToUri("/"), "file:///");
}

TEST(ToUri, NamesStandardInput) {
  EXPECT_EQ(ToUri("-"), "file:///dev/stdin");
  EXPECT_EQ(ToUri("./-"), "./-");
}

}  // namespace
}  // namespace pteproof
