#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/rule_names.h"
#include "properties/proofs/rules/lost_outputs.h"
#include "properties/proofs/rules/return_names.h"
#include "properties/proofs/rules/rules.h"
#include "runtime/training_methods.h"

namespace pteproof::proofs {
namespace {

class Signature {
 public:
  Signature(Obliger& obliger, int32_t method)
      : obliger_(obliger),
        facts_(obliger.facts().FactsAt(method)),
        method_(*facts_.method),
        stated_(*facts_.stated),
        names_(facts_) {}

  void Run() {
    if (stated_.inputs.has_value()) {
      const size_t count = std::min(stated_.inputs->size(), method_.inputs.size());
      for (size_t k = 0; k < count; ++k) Input(k, (*stated_.inputs)[k]);
    }
    if (stated_.outputs.has_value()) Outputs();
    if (stated_.mutates_inputs.has_value()) InputStores();
  }

 private:
  [[nodiscard]] Obligation About(std::string_view kind, int32_t v, std::string refuted) const {
    Obligation o = AboutMethod(method_, kind, -1, {v});
    o.refuted = std::move(refuted);
    return o;
  }

  // Every admitted size is accepted: a fixed tensor takes its own sizes, a bounded one any sizes
  // with no more elements.
  void Input(size_t k, const ManifestInput& stated) {
    const int32_t v = method_.inputs[k];
    const Tensor* tensor = method_.TensorOf(v);
    if (!stated.sizes.has_value() || tensor == nullptr) return;
    const auto bound = method_.Ints(tensor->sizes);
    Obligation o =
        About(rule::kBoundTooSmall, v,
              fmt::format("Input {} ({}) does not take every size that the model admits.", k,
                          ValueText(method_, v)));
    o.goal = Equal(static_cast<int64_t>(bound.size()), static_cast<int64_t>(stated.sizes->size()));
    obliger_.Add(o);
    if (bound.size() != stated.sizes->size()) return;
    SizeExpr elements = 1;
    int64_t room = 1;
    for (size_t d = 0; d < bound.size(); ++d) {
      const DimRange& range = (*stated.sizes)[d];
      const int32_t symbol =
          obliger_.AddSymbol({.name = fmt::format("{}.input{}.dim{}", method_.name, k, d),
                              .lo = range.min,
                              .hi = range.max,
                              .definition = {}});
      elements = elements * SizeExpr::Symbol(symbol);
      room *= bound[d];
      if (tensor->dynamism != Dynamism::kStatic) continue;
      o.goal = Equal(SizeExpr::Symbol(symbol), static_cast<int64_t>(bound[d]));
      obliger_.Add(o);
    }
    if (tensor->dynamism == Dynamism::kStatic) return;
    o.goal = {{elements, Relation::kLessEqual, SizeExpr(room)}};
    obliger_.Add(std::move(o));
  }

  // The caller's own memory is written only where the model mutates it or the caller allows it.
  void InputStores() {
    for (size_t k = 0; k < method_.inputs.size(); ++k) {
      const int32_t v = method_.inputs[k];
      const Tensor* tensor = method_.TensorOf(v);
      const bool allowed = Lists(stated_.mutates_inputs, k) || Lists(stated_.in_place_inputs, k);
      if (tensor == nullptr || tensor->planned || allowed) continue;
      const int32_t store = facts_.parts.TouchedOf(v).last_made;
      Obligation o = About(rule::kInPlaceAlias, v,
                           fmt::format("{} writes input {}, which is memory of the caller.",
                                       Capital(InstructionText(method_, store)), k));
      o.instruction = store;
      o.goal = None(store >= 0 ? 1 : 0);
      obliger_.Add(std::move(o));
    }
  }

  static bool Lists(const std::optional<std::vector<int32_t>>& positions, size_t k) {
    return positions.has_value() &&
           std::ranges::find(*positions, static_cast<int32_t>(k)) != positions->end();
  }

  // Mutated inputs come back first, one output each.
  void Outputs() {
    for (const ReturnedStorage& returned : ReturnedStorages(facts_)) {
      if (returned.store >= 0) told_.insert(returned.value);
    }
    const size_t extra = stated_.mutates_inputs.has_value() ? stated_.mutates_inputs->size() : 0;
    const size_t wanted = extra + stated_.outputs->size();
    if (stated_.mutates_inputs.has_value()) {
      Obligation o = About(rule::kOutputMisbound, -1,
                           fmt::format("The program returns {} values, and the model returns {}.",
                                       method_.outputs.size(), wanted));
      o.values = {};
      // Outputs that training adds are not contradicted by a list of the user's.
      const bool open = wanted < method_.outputs.size() &&
                        IsTrainingMethod(*obliger_.facts().program, method_.name);
      if (open) o.severity = Severity::kNote;
      o.goal = Equal(static_cast<int64_t>(method_.outputs.size()), static_cast<int64_t>(wanted));
      obliger_.Add(std::move(o));
    }
    if (method_.outputs.size() != wanted) return;
    for (size_t k = 0; k < extra; ++k) {
      const auto position = static_cast<size_t>((*stated_.mutates_inputs)[k]);
      if (position < method_.inputs.size()) Is(k, method_.inputs[position]);
    }
    for (size_t k = 0; k < stated_.outputs->size(); ++k) {
      UserOutput(extra + k, (*stated_.outputs)[k]);
    }
  }

  // Output k is a name of the value, or bytes of its own: not those of another input or buffer.
  void Is(size_t k, int32_t value) {
    const int32_t v = method_.outputs[k];
    Obligation o = About(rule::kOutputMisbound, v,
                         fmt::format("Output {} must be {}, and the program returns {}.", k,
                                     ValueText(method_, value), ValueText(method_, v)));
    o.goal = None(IsForeign(v, value) ? 1 : 0);
    obliger_.Add(std::move(o));
  }

  [[nodiscard]] bool IsForeign(int32_t v, int32_t of) const {
    const int32_t own = facts_.names.RootOf(of);
    const int32_t root = facts_.names.RootOf(names_.WrittenAs(v));
    if (method_.TensorOf(v) == nullptr || v == of || facts_.names.RootOf(v) == own || root == own)
      return false;
    return facts_.parts.Of(root) == Part::kInput || facts_.parts.Of(root) == Part::kBuffer;
  }

  void UserOutput(size_t k, const ManifestOutput& stated) {
    const int32_t v = method_.outputs[k];
    if (!stated.is_entry || method_.TensorOf(v) == nullptr) return;
    if (!stated.of_parameter.empty()) return Trained(k, stated.of_parameter);
    const int32_t source = SourceOf(stated);
    if (source < 0) return;
    Is(k, source);
    if (v != source || told_.contains(v) || method_.TensorOf(v)->nbytes == 0) return;
    const int32_t store = facts_.parts.TouchedOf(v).last_made;
    Obligation o =
        About(rule::kEntryValueLost, v,
              fmt::format("Output {} must be the value of {} at entry, and {} writes it.", k,
                          ValueText(method_, v), InstructionText(method_, store)));
    o.instruction = store;
    o.goal = None(store >= 0 ? 1 : 0);
    obliger_.Add(std::move(o));
  }

  // What the optimiser changes is the parameter's own storage, and no other output's.
  void Trained(size_t k, const std::string& name) {
    const int32_t v = method_.outputs[k];
    const int32_t b = facts_.parts.BufferOf(facts_.names.RootOf(v));
    const bool again = b >= 0 && !trained_.insert(b).second;
    const std::string_view known =
        b < 0 ? std::string_view() : facts_.parts.buffers[static_cast<size_t>(b)].name;
    const bool is_it = b >= 0 ? !again && (known.empty() || known == name) : IsOwnConstant(v);
    Obligation o = About(rule::kOutputMisbound, v,
                         fmt::format("Output {} must be the parameter '{}' itself, and the program "
                                     "returns {}.",
                                     k, name, ValueText(method_, v)));
    o.goal = None(is_it ? 0 : 1);
    obliger_.Add(std::move(o));
  }

  // Data that no parameter before it has.
  bool IsOwnConstant(int32_t v) {
    const int32_t root = facts_.names.RootOf(v);
    if (facts_.parts.Of(root) != Part::kConstant) return false;
    const bool outside = method_.TensorOf(root)->external;
    return outside ? outside_.insert(method_.NameOf(root)).second
                   : inside_.insert(method_.TensorOf(root)->data_index).second;
  }

  // The value whose entry value an output returns; -1: the file has no such value.
  [[nodiscard]] int32_t SourceOf(const ManifestOutput& stated) const {
    if (stated.of_input.has_value()) {
      const auto position = static_cast<size_t>(*stated.of_input);
      return position < method_.inputs.size() ? method_.inputs[position] : -1;
    }
    const auto buffer =
        std::ranges::find(facts_.parts.buffers, stated.of_buffer, &BufferPart::name);
    return buffer == facts_.parts.buffers.end() ? -1 : buffer->value;
  }

  Obliger& obliger_;
  const MethodFacts& facts_;
  const Method& method_;
  const ManifestMethod& stated_;
  ReturnNames names_;
  std::set<int32_t> told_;
  std::set<int32_t> trained_;           // buffers that are returned as parameters
  std::set<uint32_t> inside_;           // constants of the program that are
  std::set<std::string_view> outside_;  // and those of a .ptd
};

}  // namespace

void ObligeSignature(Obliger& obliger, int32_t method) {
  if (obliger.facts().FactsAt(method).stated != nullptr) Signature(obliger, method).Run();
}

}  // namespace pteproof::proofs
