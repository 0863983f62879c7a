// Idea: a model that returns a value before an update and after it has two outputs. If the update
// was made in place on the value itself, the program returns one storage twice:
//
//   1: v2 = add(v0, v1)
//   2: v2 = index_put_(v2, ...)      outputs v2, v2: the first one is lost, or both are the second
//
// Only the source model knows: the manifest's `same_as` gives each output the position of the first
// one that is the same value. A storage that is made once is left alone: exporters drop copies. So
// is a second name, a view: whether it was made before the update is alias-lifetime. Buffers and
// inputs have rules of their own.
//
// Invariant: a value gives at most one finding, an error if some pair of its outputs is one.
#include "properties/rules/shared_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

class SharedOutputs {
 public:
  explicit SharedOutputs(const MethodMeaning& meant) : meant_(meant), method_(*meant.method) {}

  std::vector<Finding> Run() && {
    std::map<int32_t, std::vector<size_t>> outputs_of;  // by value: positions, ascending
    for (size_t k = 0; k < method_.outputs.size(); ++k) {
      const int32_t v = method_.outputs[k];
      if (method_.TensorOf(v) == nullptr || method_.TensorOf(v)->nbytes == 0) continue;
      if (IsMade(RootOf(v))) outputs_of[v].push_back(k);
    }
    std::erase_if(outputs_of, [](const auto& outputs) { return outputs.second.size() < 2; });
    if (outputs_of.empty()) return {};
    const std::map<int32_t, int32_t> updates = LastUpdates();
    for (const auto& [value, outputs] : outputs_of) {
      const auto update = updates.find(RootOf(value));
      if (update != updates.end()) Judge(outputs, update->second);
    }
    return std::move(findings_);
  }

 private:
  struct Pair {
    size_t first = 0;
    size_t second = 0;
    bool apart = false;  // the manifest says so
  };

  [[nodiscard]] int32_t RootOf(int32_t v) const {
    return meant_.aliases.root[static_cast<size_t>(v)];
  }
  // By the method itself, in planned memory or the caller's.
  [[nodiscard]] bool IsMade(int32_t root) const {
    const Role role = meant_.roles.of[static_cast<size_t>(root)];
    return role == Role::kLocal || role == Role::kCaller;
  }

  // Per storage: the last instruction that updates it in place, after another one has made it.
  [[nodiscard]] std::map<int32_t, int32_t> LastUpdates() const {
    std::map<int32_t, int32_t> made;
    std::map<int32_t, int32_t> updates;
    for (int32_t i = 0; i < meant_.flow().instruction_count(); ++i) {
      for (const Write& w : meant_.effects.WritesOf(static_cast<size_t>(i))) {
        const int32_t root = RootOf(w.value);
        const bool is_update = !w.is_out && w.access != Access::kFill;
        const auto before = made.find(root);
        if (is_update && before != made.end() && before->second < i) updates[root] = i;
        made.try_emplace(root, i);
      }
    }
    return updates;
  }

  // The first position whose value an output is; nothing: the manifest does not say.
  [[nodiscard]] std::optional<int32_t> FirstOf(size_t output) const {
    if (meant_.stated == nullptr || !meant_.stated->outputs.has_value()) return std::nullopt;
    const auto& inputs = meant_.stated->mutates_inputs;
    const size_t extra = inputs.has_value() ? inputs->size() : 0;
    const auto& stated = *meant_.stated->outputs;
    if (method_.outputs.size() != extra + stated.size() || output < extra) return std::nullopt;
    return stated[output - extra].same_as;
  }

  void Judge(const std::vector<size_t>& outputs, int32_t update) {
    std::optional<Pair> found;
    for (size_t k = 1; k < outputs.size(); ++k) {
      const auto first = FirstOf(outputs[k - 1]);
      const auto second = FirstOf(outputs[k]);
      const bool known = first.has_value() && second.has_value();
      if (known && *first == *second) continue;
      if (!found.has_value() || (known && !found->apart)) {
        found = Pair{outputs[k - 1], outputs[k], known};
      }
    }
    if (found.has_value()) Tell(*found, update);
  }

  void Tell(const Pair& pair, int32_t update) {
    const int32_t v = method_.outputs[pair.second];
    Finding finding =
        FindingAt(rule::kOutputMisbound, pair.apart ? Severity::kError : Severity::kNote, method_,
                  update, {v}, meant_.flow().PlaceOf(v));
    finding.undecided = !pair.apart;
    finding.explanation = fmt::format(
        "Outputs {} and {} return one storage, {}.\n{} updates it in place after it was made.\n{}",
        pair.first, pair.second, ValueWords(method_, v), Capital(InstructionWords(method_, update)),
        pair.apart ? "They are two values of the model: the caller gets one of them twice."
                   : "If one of them is the value before the update, the caller gets the value "
                     "after it.");
    finding.fix = pair.apart
                      ? "Export without the in-place rewrite, or clone the value before the update."
                      : "Say in a manifest which outputs are the same value (`same_as`).";
    findings_.push_back(std::move(finding));
  }

  const MethodMeaning& meant_;
  const Method& method_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckSharedOutputs(const MethodMeaning& meant) {
  return SharedOutputs(meant).Run();
}

}  // namespace pteproof::checks
