#include "runtime/reader/context.h"

#include <utility>

#include "pteproof/read.h"
#include "runtime/file_rules.h"

namespace pteproof::reader {

void Refuse(Context& context, std::string_view rule, Place place, std::string explanation) {
  if (context.findings.size() == static_cast<size_t>(kMaxFileFindings)) {
    if (!context.more_findings)
      context.findings.back().explanation +=
          "\nThere are more findings in this file than are listed.";
    context.more_findings = true;
    return;
  }
  Finding finding;
  finding.rule = rule;
  finding.method = place.method;
  finding.instruction = place.instruction;
  finding.values = std::move(place.values);
  finding.bytes = place.bytes;
  finding.explanation = std::move(explanation);
  context.findings.push_back(std::move(finding));
}

void RefuseAmplification(Context& context) {
  context.over_budget = true;
  Refuse(context, rule::kFileAmplification, {},
         "The file refers to the same tables or vectors so often that its content is far larger "
         "than the file.");
}

}  // namespace pteproof::reader
