#include "cli/render/render_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/sample_report.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

Json Rendered(const FileReport& report) {
  return Json::parse(RenderJson(report));
}

TEST(RenderJson, IsOneLineOfAscii) {
  FileReport report = SampleReport();
  report.report.findings[0].method = "größe\x1b\xff\n";
  const std::string text = RenderJson(report);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= 32 && c < 127); }));
  EXPECT_EQ(Json::parse(text)["findings"][0]["method"], "größe\x1b\uFFFD\n");
}

TEST(RenderJson, GivesVerdictsOfTheFileAndOfEachPolicy) {
  const Json json = Rendered(SampleReport());
  EXPECT_EQ(json["file"], "models/put get.pte");
  EXPECT_EQ(json["verdict"], "depends");
  EXPECT_EQ(json["policies"], Json::parse(R"({"private":"unsafe","share-1-2":"undecided",
                                              "share-all":"undecided"})"));
  EXPECT_EQ(json["policy"], nullptr);
  EXPECT_EQ(json["manifest"], "models/put get.manifest.json");
}

TEST(RenderJson, ListsAllInstancesOfACause) {
  FileReport report = SampleReport();
  EXPECT_FALSE(Rendered(report)["findings"][0].contains("instances"));
  report.report.findings = {GroupedFinding()};
  const Json finding = Rendered(report)["findings"][0];
  EXPECT_EQ(finding["instruction"], 3);
  EXPECT_EQ(finding["other_method"], "get");
  EXPECT_EQ(finding["count"], 2);
  EXPECT_EQ(finding["worst"], 1);
  EXPECT_EQ(finding["instances"][1],
            Json::parse(R"({"instruction": 7, "values": [1], "bank": 2, "bytes": [32, 96],
                            "explanation": "put stores another.\nget misses it."})"));
}

TEST(RenderJson, CountsAcceptedFindingsBesideTheVerdict) {
  FileReport report = SampleReport();
  EXPECT_EQ(Rendered(report)["accepted"], 0);
  report.report.findings[0].suppressed_because = "known";
  report.report.findings[2].suppressed_because = "known";
  EXPECT_EQ(Rendered(report)["verdict"], "depends");
  EXPECT_EQ(Rendered(report)["accepted"], 2);
  report.policy = Policy::kShareAll;
  EXPECT_EQ(Rendered(report)["accepted"], 1);
}

TEST(RenderJson, SaysWhoseWordTheManifestIs) {
  FileReport report = SampleReport();
  EXPECT_EQ(Rendered(report)["trusted"], true);
  EXPECT_FALSE(Rendered(report).contains("by_word"));
  report.trusted = false;
  report.by_word = Overall::kSafe;
  report.file_alone = {true, false, false};
  const Json json = Rendered(report);
  EXPECT_EQ(json["trusted"], false);
  EXPECT_EQ(json["by_word"], "safe");
  EXPECT_EQ(json["findings"][0]["file_alone"], true);
  EXPECT_FALSE(json["findings"][1].contains("file_alone"));
  report.manifest.clear();
  EXPECT_EQ(Rendered(report)["trusted"], nullptr);
}

TEST(RenderJson, GivesTheChosenPolicysVerdict) {
  FileReport report = SampleReport();
  report.policy = Policy::kPrivate;
  const Json json = Rendered(report);
  EXPECT_EQ(json["verdict"], "unsafe");
  EXPECT_EQ(json["policy"], "private");
}

TEST(RenderJson, GivesAllFieldsOfAFinding) {
  const Json json = Rendered(SampleReport());
  EXPECT_EQ(json["findings"][0], Json::parse(R"({
      "rule": "state-split", "severity": "error", "policy": ["private"], "method": "put",
      "instruction": 3, "values": [0, 4], "bank": 2, "bytes": [0, 32],
      "explanation": "put stores it.\nget never sees it.",
      "fix": "share the bank"})"));
}

TEST(RenderJson, GivesNullForWhatIsAbsent) {
  const Json json = Rendered(SampleReport());
  EXPECT_EQ(json["findings"][2], Json::parse(R"({
      "rule": "not-provable", "severity": "note", "policy": null, "method": null,
      "instruction": null, "values": [], "bank": null, "bytes": null,
      "explanation": "a delegate's outputs are unknown", "fix": "", "undecided": true})"));
}

TEST(RenderJson, MarksSuppressedFindingsOnly) {
  const Json json = Rendered(SampleReport());
  EXPECT_FALSE(json["findings"][0].contains("suppressed"));
  EXPECT_EQ(json["findings"][1]["suppressed"], "known");
}

TEST(RenderJson, GivesBanksWithWasteAboveTheirLoad) {
  const Json json = Rendered(SampleReport());
  EXPECT_EQ(json["banks"][0], Json::parse(R"({"method": "put", "bank": 1, "size": 160, "peak": 144,
                                              "peak_live": 96, "load": 96, "waste": 64,
                                              "phantom": 16,
                                              "guard": 0, "early_stores": 0})"));
  EXPECT_EQ(json["banks"][1]["waste"], 0);
}

TEST(RenderJson, GivesWhatEarlierStoresSaveBesideTheWaste) {
  FileReport report = SampleReport();
  report.report.banks[0].guard = 48;
  report.report.banks[0].early_stores = 32;
  const Json bank = Rendered(report)["banks"][0];
  EXPECT_EQ(bank["guard"], 48);
  EXPECT_EQ(bank["early_stores"], 32);
  EXPECT_EQ(bank["waste"], 16);
}

TEST(RenderJson, GivesNoNegativeWasteForABankThatIsTooSmall) {
  FileReport report = SampleReport();
  report.report.banks = {{"put", 1, 16, 4096, 4096, 0}};
  EXPECT_EQ(Rendered(report)["banks"][0]["waste"], 0);
}

TEST(RenderJson, GivesAssumptionsAndOverlays) {
  const Json json = Rendered(SampleReport());
  EXPECT_EQ(json["assumptions"], Json::parse(R"(["that all stores are there"])"));
  EXPECT_EQ(json["overlays"], Json::parse(R"([{"method": "get", "output": 5, "input": 1}])"));
}

TEST(RenderJson, HasTheSameFieldsForAFileWithoutVerdict) {
  const Json malformed = Rendered(MalformedReport());
  EXPECT_EQ(malformed["verdict"], "malformed");
  EXPECT_EQ(malformed["policies"]["share-all"], "malformed");
  EXPECT_EQ(malformed["findings"][0]["bytes"], Json::parse("[0, 4]"));
  EXPECT_EQ(malformed["banks"], Json::array());
  const Json unreadable = Rendered(UnreadableReport());
  EXPECT_EQ(unreadable["verdict"], "unreadable");
  EXPECT_EQ(unreadable["error"], "No such file or directory");
  EXPECT_EQ(unreadable["findings"], Json::array());
}

}  // namespace
}  // namespace pteproof
