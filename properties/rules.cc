#include "pteproof/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

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

const RuleInfo* FindRule(std::string_view name) {
  for (const auto rules : {PlanRules(), ProgramFileRules(), DataFileRules()}) {
    const auto it = std::ranges::find(rules, name, &RuleInfo::name);
    if (it != rules.end()) return &*it;
  }
  return nullptr;
}

const RuleInfo& NearestRule(std::string_view name) {
  constexpr size_t kLongestUsefulName = 64;  // the distance takes time |name| x |rule|
  const std::string_view typed = name.substr(0, kLongestUsefulName);
  const RuleInfo* nearest = &PlanRules().front();
  size_t fewest = EditDistance(typed, nearest->name);
  for (const auto rules : {PlanRules(), ProgramFileRules(), DataFileRules()}) {
    for (const RuleInfo& rule : rules) {
      const size_t edits = EditDistance(typed, rule.name);
      if (edits >= fewest) continue;
      fewest = edits;
      nearest = &rule;
    }
  }
  return *nearest;
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
