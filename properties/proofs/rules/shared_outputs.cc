// Two outputs are one value of the file only if they are one value of the model, or if nothing has
// changed the storage since it was made.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

class ReturnedTwice {
 public:
  ReturnedTwice(Obliger& obliger, const MethodFacts& facts)
      : obliger_(obliger), facts_(facts), method_(*facts.method) {}

  // Each output beside the one before it that is the same value of the file: if all such pairs are
  // equal in the model, so are all.
  void Run() {
    std::map<int32_t, size_t> last;  // by value: position
    for (size_t k = 0; k < method_.outputs.size(); ++k) {
      const int32_t v = method_.outputs[k];
      if (method_.TensorOf(v) == nullptr || method_.TensorOf(v)->nbytes == 0) continue;
      const int32_t root = facts_.names.RootOf(v);
      const Part part = facts_.parts.Of(root);
      if (part != Part::kLocal && part != Part::kCaller) continue;
      const auto [before, fresh] = last.try_emplace(v, k);
      if (fresh) continue;
      Oblige(root, before->second, k);
      before->second = k;
    }
  }

 private:
  // Updates that follow the first write to the storage.
  [[nodiscard]] std::vector<int32_t> UpdatesOf(int32_t root) const {
    std::optional<int32_t> first;
    std::vector<int32_t> updates;
    for (const WriteEvent& w : facts_.listing.writes) {
      if (facts_.names.RootOf(w.value) != root) continue;
      if (!first.has_value()) first = w.instruction;
      const bool stores = !w.result && w.access != Access::kFill;
      if (stores && w.instruction > *first) updates.push_back(w.instruction);
    }
    return updates;
  }

  [[nodiscard]] std::optional<int32_t> Stated(size_t k) const {
    const ManifestMethod* stated = facts_.stated;
    if (stated == nullptr || !stated->outputs.has_value()) return std::nullopt;
    const size_t own = stated->outputs->size();
    const size_t mutated = stated->mutates_inputs.has_value() ? stated->mutates_inputs->size() : 0;
    if (own + mutated != method_.outputs.size() || k < mutated) return std::nullopt;
    return (*stated->outputs)[k - mutated].same_as;
  }

  void Oblige(int32_t root, size_t one, size_t other) {
    const std::vector<int32_t> updates = UpdatesOf(root);
    const int32_t v = method_.outputs[other];
    const auto a = Stated(one);
    const auto b = Stated(other);
    const bool said = a.has_value() && b.has_value();
    Obligation o =
        AboutMethod(method_, rule::kOutputMisbound, updates.empty() ? -1 : updates.back(), {v});
    if (!said) o.severity = Severity::kNote;
    o.goal = said ? Equal(int64_t{*a}, int64_t{*b}) : None(static_cast<int64_t>(updates.size()));
    if (updates.empty()) o.goal = None(0);
    o.refuted = fmt::format("Outputs {} and {} are one storage, {}, which is updated in place.",
                            one, other, ValueText(method_, v));
    obliger_.Add(std::move(o));
  }

  Obliger& obliger_;
  const MethodFacts& facts_;
  const Method& method_;
};

}  // namespace

void ObligeSharedOutputs(Obliger& obliger, int32_t method) {
  ReturnedTwice(obliger, obliger.facts().FactsAt(method)).Run();
}

}  // namespace pteproof::proofs
