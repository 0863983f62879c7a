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
#include "properties/rules/displaced_outputs.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

class DisplacedOutputs {
 public:
  explicit DisplacedOutputs(const MethodMeaning& meant) : meant_(meant), method_(*meant.method) {
    const ReturnSlots slots(meant.effects);
    for (const int32_t v : method_.outputs) written_.push_back(slots.Written(v));
  }

  std::vector<Finding> Run() const {
    const int32_t store = UnreturnedStore();
    if (store < 0) return {};
    const std::map<int32_t, int32_t> updates = Updates();
    for (size_t k = 0; k < written_.size(); ++k) {
      const auto update = updates.find(written_[k]);
      if (update != updates.end()) return {Tell(store, k, update->second)};
    }
    return {};
  }

 private:
  [[nodiscard]] Role RoleOf(int32_t v) const { return meant_.roles.of[static_cast<size_t>(v)]; }

  // The last instruction that replaces an input which comes back by no name; -1: none.
  [[nodiscard]] int32_t UnreturnedStore() const {
    const std::set<int32_t> returned(written_.begin(), written_.end());
    for (auto i = meant_.flow().instruction_count(); i-- > 0;) {
      for (const Write& w : meant_.effects.WritesOf(static_cast<size_t>(i))) {
        const bool replaces = !w.is_out && w.access == Access::kWrite;
        if (replaces && RoleOf(w.value) == Role::kInput && !returned.contains(w.value)) return i;
      }
    }
    return -1;
  }

  // Per buffer the first instruction that updates it in place.
  [[nodiscard]] std::map<int32_t, int32_t> Updates() const {
    std::map<int32_t, int32_t> updates;
    for (int32_t i = 0; i < meant_.flow().instruction_count(); ++i) {
      if (UpdatedInPlace(method_, meant_.effects, i) < 0) continue;
      for (const Write& w : meant_.effects.WritesOf(static_cast<size_t>(i))) {
        if (!w.is_out && RoleOf(w.value) == Role::kState) updates.try_emplace(w.value, i);
      }
    }
    return updates;
  }

  [[nodiscard]] Finding Tell(int32_t store, size_t output, int32_t update) const {
    const int32_t v = method_.outputs[output];
    Finding finding = FindingAt(rule::kOutputMisbound, Severity::kNote, method_, store, {v},
                                meant_.flow().PlaceOf(v));
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

  const MethodMeaning& meant_;
  const Method& method_;
  std::vector<int32_t> written_;  // per output: the value that it is a name of
};

}  // namespace

std::vector<Finding> CheckDisplacedOutputs(const MethodMeaning& meant) {
  if (meant.stated != nullptr && meant.stated->mutates_inputs.has_value()) return {};
  return DisplacedOutputs(meant).Run();
}

}  // namespace pteproof::checks
