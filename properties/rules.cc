#include "pteproof/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/nearest.h"
#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
std::vector<RuleInfo> AllRules() {
  std::vector<RuleInfo> all;
  for (const auto rules : {PlanRules(), ProgramFileRules(), DataFileRules()}) {
    all.insert(all.end(), rules.begin(), rules.end());
  }
  return all;
}

std::vector<std::string> ReportsOf(const RuleInfo& rule) {
  std::vector<std::string> reports;
  std::istringstream words{std::string(rule.reported)};
  for (std::string word; words >> word;) {
    const size_t hash = word.find('#');
    reports.push_back(fmt::format("https://github.com/{}/issues/{}", word.substr(0, hash),
                                  word.substr(hash + 1)));
  }
  return reports;
}

const RuleInfo* FindRule(std::string_view name) {
  for (const auto rules : {PlanRules(), ProgramFileRules(), DataFileRules()}) {
    const auto it = std::ranges::find(rules, name, &RuleInfo::name);
    if (it != rules.end()) return &*it;
  }
  return nullptr;
}

const RuleInfo* NearestRule(std::string_view name) {
  std::vector<std::string> names;
  for (const RuleInfo& rule : AllRules()) names.emplace_back(rule.name);
  return FindRule(NearestName(name, names));
}

std::vector<Finding> Explained(std::vector<Finding> refusals) {
  for (Finding& refusal : refusals) {
    const RuleInfo* rule = FindRule(refusal.rule);
    if (rule == nullptr) continue;
    std::ranges::replace(refusal.explanation, '\n', ' ');
    refusal.explanation += fmt::format("\n{}", rule->meaning);
    if (refusal.fix.empty()) refusal.fix = rule->fix;
  }
  return refusals;
}

}  // namespace pteproof
