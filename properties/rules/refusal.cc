#include "properties/rules/refusal.h"

#include <fmt/format.h>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

Finding FindingOf(const MethodFlow& flow, int32_t i, const Refusal& refusal) {
  const Place none;
  const int32_t first = refusal.values.empty() ? -1 : refusal.values.front();
  const bool has_place = first >= 0 && flow.method.TensorOf(first) != nullptr;
  const bool is_call =
      flow.method.instructions[static_cast<size_t>(i)].kind == InstructionKind::kKernelCall;
  Finding finding = FindingAt(rule::kCallRefused, Severity::kWarning, flow.method, i,
                              refusal.values, has_place ? flow.PlaceOf(first) : none);
  finding.explanation = fmt::format(
      "{} {}.\nExecuTorch{} {}.\n{}", Capital(InstructionWords(flow.method, i)), refusal.has,
      is_call ? "'s kernel of it" : "", refusal.takes,
      refusal.aborts ? "The call ends the process." : "The call ends with an error at run time.");
  finding.fix = refusal.fix;
  return finding;
}

}  // namespace pteproof::checks
