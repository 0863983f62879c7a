#include "pteproof/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

// The headers that name rules: the shared one, and those of the readers.
std::vector<std::filesystem::path> HeadersWithRules() {
  const std::filesystem::path root = PTEPROOF_SOURCE_DIR;
  std::vector<std::filesystem::path> headers = {root / "base" / "rule_names.h"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "runtime")) {
    if (entry.path().filename().string().ends_with("_rules.h")) headers.push_back(entry.path());
  }
  return headers;
}

std::set<std::string> NamesIn(const std::filesystem::path& header) {
  std::ifstream in(header);
  std::stringstream text;
  text << in.rdbuf();
  const std::string source = text.str();
  const std::regex name(R"re(string_view k\w+ =\s*"([^"]+)")re");
  std::set<std::string> names;
  for (auto it = std::sregex_iterator(source.begin(), source.end(), name);
       it != std::sregex_iterator(); ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

TEST(Rules, HasAnEntryForEveryNameInTheHeaders) {
  const auto headers = HeadersWithRules();
  ASSERT_GE(headers.size(), 2U);
  for (const auto& header : headers) {
    const std::set<std::string> names = NamesIn(header);
    EXPECT_GE(names.size(), 20U) << header;
    for (const std::string& name : names) EXPECT_NE(FindRule(name), nullptr) << name;
  }
}

TEST(Rules, HasNoEntryForANameThatNoHeaderHas) {
  std::set<std::string> named;
  for (const auto& header : HeadersWithRules()) named.merge(NamesIn(header));
  for (const RuleInfo& rule : AllRules())
    EXPECT_TRUE(named.contains(std::string(rule.name))) << rule.name;
}

TEST(Rules, HasEachRuleOnce) {
  std::set<std::string_view> seen;
  for (const RuleInfo& rule : AllRules()) EXPECT_TRUE(seen.insert(rule.name).second) << rule.name;
}

TEST(Rules, LeavesNoPartOfAnEntryEmpty) {
  for (const RuleInfo& rule : AllRules()) {
    for (const std::string_view part :
         {rule.summary, rule.invariant, rule.meaning, rule.example, rule.fix, rule.policies}) {
      EXPECT_GT(part.size(), 10U) << rule.name;
    }
    EXPECT_LE(rule.summary.size(), 90U) << rule.name << ": the summary is one line";
  }
}

// A reader's finding, completed from the catalogue.
Finding Completed(std::string_view rule, std::string explanation, std::string fix = "") {
  Finding refusal;
  refusal.rule = rule;
  refusal.explanation = std::move(explanation);
  refusal.fix = std::move(fix);
  return Explained({refusal}).at(0);
}

TEST(Rules, ExplainsInTwoLinesWhyAFileIsRefusedAndSaysHowToFixIt) {
  for (const RuleInfo& rule : AllRules()) {
    if (!rule.name.starts_with("file-")) continue;
    const Finding finding = Completed(rule.name, "It is wrong.\nThere are more findings.");
    EXPECT_EQ(finding.explanation,
              "It is wrong. There are more findings.\n" + std::string(rule.meaning));
    EXPECT_EQ(std::ranges::count(finding.explanation, '\n'), 1) << rule.name;
    EXPECT_EQ(finding.fix, rule.fix);
  }
}

TEST(Rules, KeepsTheFixThatAFindingHas) {
  EXPECT_EQ(Completed("file-header", "It is wrong.", "Name the other file.").fix,
            "Name the other file.");
}

TEST(Rules, ExplainsNothingThatItDoesNotKnow) {
  const Finding finding = Completed("unheard-of", "It is wrong.");
  EXPECT_EQ(finding.explanation, "It is wrong.");
  EXPECT_EQ(finding.fix, "");
}

TEST(Rules, DoesNotFindAnUnknownName) {
  EXPECT_EQ(FindRule("plan-overlaps"), nullptr);
}

TEST(Rules, SuggestsWhatSomebodyMistyped) {
  EXPECT_EQ(NearestRule("plan-overlaps"), FindRule("plan-overlap"));
  EXPECT_EQ(NearestRule("sttae-split"), FindRule("state-split"));
  EXPECT_EQ(NearestRule("file-headr"), FindRule("file-header"));
}

TEST(Rules, SuggestsNothingForWhatIsNearNone) {
  for (const std::string& name :
       {std::string(), std::string("nonsense"), std::string(1000000, 'x')})
    EXPECT_EQ(NearestRule(name), nullptr);
}

}  // namespace
}  // namespace pteproof
