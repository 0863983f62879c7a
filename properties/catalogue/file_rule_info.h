// What the catalogue's entries for files have in common. Only for the catalogue itself.
#ifndef PTEPROOF_PROPERTIES_CATALOGUE_FILE_RULE_INFO_H_
#define PTEPROOF_PROPERTIES_CATALOGUE_FILE_RULE_INFO_H_

#include <span>
#include <string_view>

#include "pteproof/rules.h"

namespace pteproof {

// An entry for a rule that makes a file malformed, whatever the policy.
constexpr RuleInfo FileRule(std::string_view name, std::string_view summary,
                            std::string_view meaning, std::string_view example,
                            std::string_view fix) {
  return {.name = name,
          .severity = Severity::kError,
          .summary = summary,
          .invariant = "The file is well formed, so that it can be read and loaded without harm.",
          .meaning = meaning,
          .example = example,
          .fix = fix,
          .policies = "None: a malformed file has no verdict under any policy."};
}

// The entries for runtime/file_rules.h and for runtime/data_rules.h.
[[nodiscard]] std::span<const RuleInfo> ProgramFileRules();
[[nodiscard]] std::span<const RuleInfo> DataFileRules();

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_CATALOGUE_FILE_RULE_INFO_H_
