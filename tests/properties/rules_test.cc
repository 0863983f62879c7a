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

// The explanation of a refusal, explained.
std::string ExplanationOfRefusal(std::string_view rule, std::string explanation) {
  Finding refusal;
  refusal.rule = rule;
  refusal.explanation = std::move(explanation);
  return Explained({refusal}).at(0).explanation;
}

TEST(Rules, ExplainsInThreeLinesWhyAFileIsRefused) {
  for (const RuleInfo& rule : AllRules()) {
    if (!rule.name.starts_with("file-")) continue;
    const std::string explanation =
        ExplanationOfRefusal(rule.name, "It is wrong.\nThere are more findings.");
    EXPECT_EQ(explanation, "It is wrong. There are more findings.\n" + std::string(rule.meaning) +
                               '\n' + std::string(rule.fix));
    EXPECT_EQ(std::ranges::count(explanation, '\n'), 2) << rule.name;
  }
}

TEST(Rules, ExplainsNothingThatItDoesNotKnow) {
  EXPECT_EQ(ExplanationOfRefusal("unheard-of", "It is wrong."), "It is wrong.");
}

TEST(Rules, DoesNotFindAnUnknownName) {
  EXPECT_EQ(FindRule("plan-overlaps"), nullptr);
}

TEST(Rules, SuggestsWhatSomebodyMistyped) {
  EXPECT_EQ(NearestRule("plan-overlaps").name, "plan-overlap");
  EXPECT_EQ(NearestRule("sttae-split").name, "state-split");
  EXPECT_EQ(NearestRule("file-headr").name, "file-header");
}

TEST(Rules, SuggestsSomethingForAnyText) {
  EXPECT_FALSE(NearestRule("").name.empty());
  EXPECT_FALSE(NearestRule(std::string(1000000, 'x')).name.empty());
}

}  // namespace
}  // namespace pteproof
