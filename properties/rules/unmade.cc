// A value that is used although nothing made it on some path: undecided, since the path may be
// impossible; an error where nothing makes it on any.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// A view whose base's name was given to other bytes: nothing ever writes the bytes that it reads.
[[gnu::cold]] Finding TellStray(const MethodMeaning& meant, const LiveName& name) {
  const MethodFlow flow = meant.flow();
  Finding finding = FindingAt(rule::kReadBeforeWrite, Severity::kError, *meant.method, name.reader,
                              {name.name}, flow.PlaceOf(name.name));
  finding.explanation = fmt::format(
      "{} reads {}.\nNo instruction writes these bytes, and the value is not a buffer: the "
      "exporter "
      "made it after the inputs.\nThe bytes hold whatever was there before.",
      ReaderWords(flow, name.reader, name.name), ValueWords(*meant.method, name.name));
  finding.fix = "Clone the value that it is a view of, and take the view of the clone.";
  finding.clone = Clone::kOther;
  return finding;
}

[[gnu::cold]] Finding TellUnmade(const MethodMeaning& meant, const LiveName& name) {
  const MethodFlow flow = meant.flow();
  Finding finding = FindingAt(rule::kReadBeforeWrite, Severity::kNote, *meant.method, name.reader,
                              {name.name}, flow.PlaceOf(name.name));
  finding.undecided = true;
  finding.explanation = fmt::format(
      "{} reads {}.\nOn some path from the start of the method no instruction has written it.\n"
      "If a call takes that path, the reader gets the bytes that were there before.",
      Capital(ReaderWords(flow, name.reader, name.name)), ValueWords(*meant.method, name.name));
  finding.fix =
      "Write the value on every path that leads to the read, or, if no call takes the others, "
      "accept the finding in a manifest (`suppress`).";
  return finding;
}

}  // namespace

std::vector<Finding> CheckUnmade(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  for (const LiveName& name : meant.unmade) {
    const bool is_stray = std::ranges::binary_search(meant.aliases.stray, name.name);
    findings.push_back(is_stray ? TellStray(meant, name) : TellUnmade(meant, name));
  }
  return findings;
}

}  // namespace pteproof::checks
