#include "pteproof/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "properties/catalogue/file_rule_info.h"

namespace pteproof {
namespace {

// Levenshtein's distance: insertions, deletions and replacements that turn a into b.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

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
