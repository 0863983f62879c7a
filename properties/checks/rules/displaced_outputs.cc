// Idea: ExecuTorch's exporter returns each input that the model mutates, ahead of the model's own
// outputs. To find the buffers' new values among the outputs it counts them; with the in-place
// rewrite it takes an input for one of them, and returns the buffer instead:
//
//   2: v3 = index_put_(v3, ...)     v3 is a buffer
//   9: copy_(v7, v8)                v7 is an input            outputs v3, v9: v3 is v7's place
//
// Or the model returns the buffer and means to lose the input's new value, which no exporter
// writes.
//
// Invariant: a method gives at most one finding, about its first such output.
#include "properties/checks/rules/displaced_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/rule_names.h"
#include "properties/checks/rules/wording.h"

namespace pteproof::checks {
namespace {

class DisplacedOutputs {
 public:
  explicit DisplacedOutputs(const MethodCheck& check) : check_(check), method_(*check.method) {}

  std::vector<Finding> Run() const {
    const std::optional<int32_t> store = UnreturnedStore();
    if (!store.has_value()) return {};
    for (size_t k = 0; k < method_.outputs.size(); ++k) {
      const std::optional<int32_t> update = UpdateOf(method_.outputs[k]);
      if (update.has_value()) return {Tell(*store, k, *update)};
    }
    return {};
  }

 private:
  // The last instruction that replaces an input which comes back by no name.
  [[nodiscard]] std::optional<int32_t> UnreturnedStore() const {
    for (auto i = check_.flow().instruction_count(); i-- > 0;) {
      for (const Write& w : check_.effects.WritesOf(static_cast<size_t>(i))) {
        const bool is_input = check_.roles.of[static_cast<size_t>(w.value)] == Role::kInput;
        const bool replaces = !w.is_out && w.access == Access::kWrite;
        if (is_input && replaces && !IsReturned(w.value)) return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool IsReturned(int32_t input) const {
    return std::ranges::any_of(method_.outputs, [&](int32_t v) { return Named(v) == input; });
  }

  // The first instruction that updates the buffer which the output is a name of.
  [[nodiscard]] std::optional<int32_t> UpdateOf(int32_t output) const {
    const int32_t v = Named(output);
    if (check_.roles.of[static_cast<size_t>(v)] != Role::kState) return std::nullopt;
    for (int32_t i = 0; i < check_.flow().instruction_count(); ++i) {
      if (UpdatedInPlace(method_, check_.effects, i) < 0) continue;
      for (const Write& w : check_.effects.WritesOf(static_cast<size_t>(i))) {
        if (w.value == v && !w.is_out) return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] int32_t Named(int32_t output) const {
    return ReturnedOperand(check_.effects, output);
  }

  [[nodiscard]] Finding Tell(int32_t store, size_t output, int32_t update) const {
    const int32_t v = method_.outputs[output];
    Finding finding = FindingAt(rule::kOutputMisbound, Severity::kNote, method_, store, {v},
                                check_.flow().PlaceOf(v));
    finding.undecided = true;
    finding.explanation = fmt::format(
        "{} stores to an input that the program does not return.\n"
        "Output {} is buffer {}, which {} updates in place.\n"
        "If the model returns the input's new value there, the caller gets another tensor.",
        Capital(InstructionWords(method_, store)), output, ValueWords(method_, v),
        InstructionWords(method_, update));
    finding.fix = "Say in a manifest which inputs the method mutates (mutates_inputs).";
    return finding;
  }

  const MethodCheck& check_;
  const Method& method_;
};

}  // namespace

std::vector<Finding> CheckDisplacedOutputs(const MethodCheck& check) {
  if (check.stated != nullptr && check.stated->mutates_inputs.has_value()) return {};
  return DisplacedOutputs(check).Run();
}

}  // namespace pteproof::checks
