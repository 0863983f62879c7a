// The catalogue of rules: the meaning of each, an example, and the fix of its findings. Text
// only; the rules themselves are checked elsewhere. Names of rules never change meaning.
//
// Example:
//
//   const pteproof::RuleInfo* rule = pteproof::FindRule("plan-overlap");
//   if (rule == nullptr || rule->fix.empty()) return 1;
//   return pteproof::NearestRule("plan-overlop") == rule ? 0 : 1;
#ifndef PTEPROOF_RULES_H_
#define PTEPROOF_RULES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"

namespace pteproof {

struct RuleInfo {
  std::string_view name;
  Severity severity =
      Severity::kError;        // the worst that it comes with; `meaning` says when it is milder
  std::string_view summary;    // one line
  std::string_view invariant;  // the condition, in a few words
  std::string_view meaning;
  std::string_view example;
  std::string_view fix;
  std::string_view policies;  // which loader policies matter to it
  // Public reports of such a mistake, "OWNER/REPOSITORY#NUMBER", a blank between two; empty: none.
  std::string_view reported = {};
};

// All rules: those of plans, then those of program files, then those of data files and bundles.
[[nodiscard]] std::vector<RuleInfo> AllRules();

// The address of each report in RuleInfo::reported.
[[nodiscard]] std::vector<std::string> ReportsOf(const RuleInfo& rule);

// The rules that a memory plan can break.
[[nodiscard]] std::span<const RuleInfo> PlanRules();

// The rule of that name, or null. Points into static storage.
[[nodiscard]] const RuleInfo* FindRule(std::string_view name);

// The rule that a misspelt name was probably meant for, or null: all are too far from it.
[[nodiscard]] const RuleInfo* NearestRule(std::string_view name);

// Completes the findings of a reader, which hold only the mistake and its place: `explanation` gets
// a second line, the meaning of the rule, and an empty `fix` gets the fix of the rule. Findings of
// unknown rules stay as they are.
[[nodiscard]] std::vector<Finding> Explained(std::vector<Finding> refusals);

}  // namespace pteproof

#endif  // PTEPROOF_RULES_H_
