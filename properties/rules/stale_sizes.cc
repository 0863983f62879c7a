// A name that no instruction makes, of a tensor whose sizes a call may change: nothing gives the
// name these sizes, so that it keeps those of the file.
#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/resized.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

[[gnu::cold]] Finding TellStale(const MethodMeaning& meant, int32_t name, int32_t source,
                                int32_t reader) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, reader,
                              {name, source}, meant.flow().PlaceOf(name));
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{} uses {}, a name of {}, whose sizes a call may change.\n"
      "No instruction gives the name these sizes: it keeps those of the file.\n"
      "In a call with smaller sizes, the bytes behind them are taken, too.",
      Capital(ReaderWords(meant.flow(), reader, name)), ValueWords(*meant.method, name),
      ValueWords(*meant.method, source));
  finding.fix =
      "Keep the call that makes the view, or, if all calls have the sizes of the file, accept the "
      "finding in a manifest (`suppress`).";
  return finding;
}

// Who uses the value first; the instruction count: the caller; -1: nobody.
int32_t FirstUser(const MethodMeaning& meant, int32_t v) {
  const auto& usage = meant.roles.usage[static_cast<size_t>(v)];
  if (usage.first_read >= 0) return usage.first_read;
  return usage.is_output ? static_cast<int32_t>(meant.method->instructions.size()) : -1;
}

}  // namespace

std::vector<Finding> CheckStaleSizes(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  const std::vector<bool> resized = ResizedOf(*meant.method).any;
  std::vector<bool> varies = resized;
  for (const Transfer& birth : meant.aliases.transfers) {
    if (birth.dynamic || birth.phase != Phase::kBefore) continue;
    const auto name = static_cast<size_t>(birth.to);
    for (const int32_t source : meant.aliases.SourcesOf(birth)) {
      if (!varies[static_cast<size_t>(source)] || varies[name]) continue;
      varies[name] = true;  // a name of it varies, too
      const int32_t reader = FirstUser(meant, birth.to);
      if (reader >= 0) findings.push_back(TellStale(meant, birth.to, source, reader));
    }
  }
  return findings;
}

}  // namespace pteproof::checks
