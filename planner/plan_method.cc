// Idea. The passes run in a fixed order on the code of one method: first those that change the
// code, then those that share bytes, from the surest to the most speculative. Placement may show
// that an elided concatenation would be read as something else in the file; that concatenation is
// then kept, and sharing starts anew.
//
//   code -> drop dead -> stores early -> pins -> stored -> views -> copies -> in place -> concats
//                                         ^                                                  |
//                                         +---- again, with one concatenation less ----------+
//        -> placement -> emission
//
// Invariant: each further round keeps at least one more concatenation, so the rounds end. Cost: the
// passes and placement, for each round.
#include "planner/plan_method.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "planner/bound_sizes.h"
#include "planner/code/edit.h"
#include "planner/code/same_bytes.h"
#include "planner/emit/ambiguous.h"
#include "planner/passes/passes.h"
#include "planner/place_storages.h"
#include "planner/planted.h"
#include "planner/state/module_init.h"
#include "planner/unmet_wishes.h"
#include "reference/graph/builder.h"

namespace pteproof::planner {
namespace {

class MethodPlanner {
 public:
  MethodPlanner(MethodInput input, Planned& planned)
      : input_(std::move(input)),
        graph_(input_.module.methods[input_.method]),
        planned_(planned),
        code_(std::move(input_.code)) {}

  MethodOutcome Go() {
    Protect();
    if (Passes().drop_dead) DropDead(code_);
    if (Passes().early_stores) StoreEarly(code_);
    auto bounds = BoundSizesOf(code_, graph_, input_.options.bounds);
    if (!bounds.ok()) return {bounds.error(), {}};
    std::vector<bool> keep_concat(code_.values.size());  // each further round keeps one more
    for (;;) {
      Sharing sharing(code_, bounds.value().nbytes, input_.options.order);
      SetPins(sharing);
      ShareStored(code_, sharing);
      sharing.MarkPassed();
      if (std::string fault = ShareOverlays(sharing); !fault.empty()) {
        return {std::move(fault), {}};
      }
      Share(keep_concat, sharing);
      if (auto hollow = HollowStores(sharing); !hollow.empty()) return {"", std::move(hollow)};
      sharing.Widen();
      auto placed = PlaceStorages(code_, sharing, input_.options, input_.state, input_.method);
      if (!placed.ok()) return {placed.error(), {}};
      const auto ambiguous = AmbiguousConcats(code_, sharing, placed.value().places);
      for (const ValueId v : ambiguous) keep_concat[static_cast<size_t>(v)] = true;
      if (!ambiguous.empty()) continue;
      std::ranges::move(UnmetWishes(graph_, code_, sharing), std::back_inserter(planned_.warnings));
      Append(bounds.value().sizes, sharing, placed.value());
      return {};
    }
  }

 private:
  [[nodiscard]] const PassSwitches& Passes() const { return input_.options.passes; }

  // A view of what has no place in the file cannot have one either: it takes an instruction.
  void NameViewsOfUnplanned() {
    if (input_.options.plan_inputs && input_.options.plan_buffers) return;
    for (Step& step : code_.steps) {
      if (!BytesKept(code_, step) || step.view_sizes) continue;
      step.view_sizes.emplace();
      for (const SizeExpr& size : TensorTypeOf(code_, step.results.front())->sizes) {
        step.view_sizes->push_back(graph::Number(size));
      }
    }
  }

  [[nodiscard]] bool IsOverlaid(size_t input) const {
    return std::ranges::any_of(input_.options.overlays, [&](const PlanOptions::Overlay& each) {
      return each.method == graph_.name && each.input == static_cast<int32_t>(input);
    });
  }

  // Callers' tensors that the method may not overwrite.
  void Protect() {
    NameViewsOfUnplanned();
    if (input_.options.plan_inputs) return;
    for (size_t n = 0; n < graph_.inputs.size(); ++n) {
      const bool stored = std::ranges::find(graph_.input_stores, static_cast<int32_t>(n),
                                            &graph::InputStore::input) != graph_.input_stores.end();
      // A loader that shares all banks replaces the memory of an input that comes back.
      const bool lent = graph_.inputs[n].in_place && input_.options.policy != Policy::kShareAll;
      const bool ours = lent || stored || IsOverlaid(n);
      if (!ours) code_.values[static_cast<size_t>(code_.inputs[n])].keep = true;
    }
  }

  // An unplanned output that lies over an input is pinned with it, later.
  [[nodiscard]] bool LiesOver(size_t output) const {
    const size_t stored = graph_.input_stores.size();
    return std::ranges::any_of(input_.options.overlays, [&](const PlanOptions::Overlay& each) {
      return each.method == graph_.name && stored + static_cast<size_t>(each.output) == output;
    });
  }

  void SetPins(Sharing& sharing) {
    for (size_t v = 0; v < code_.values.size(); ++v) {
      const CodeValue& value = code_.values[v];
      const auto id = static_cast<ValueId>(v);
      if (TensorTypeOf(code_, id) == nullptr) continue;
      if (value.origin == Origin::kBuffer) {
        sharing.SetPin(id, {Pin::Kind::kBuffer, value.index});
      } else if (value.origin == Origin::kConstant) {
        sharing.SetPin(id, {Pin::Kind::kConstant, value.index});
      } else if (value.origin == Origin::kInput && !input_.options.plan_inputs) {
        sharing.SetPin(id, {Pin::Kind::kInput, value.index});
      }
    }
    // A loader that shares all banks sets the memory of outputs after that of inputs.
    if (!input_.options.plan_inputs && input_.options.policy == Policy::kShareAll) {
      sharing.SetOutputsLate();
    }
    if (input_.options.plan_outputs) return;
    for (size_t o = 0; o < code_.outputs.size(); ++o) {
      const ValueId id = code_.outputs[o];
      if (code_.values[static_cast<size_t>(id)].origin != Origin::kStep) continue;
      if (LiesOver(o)) continue;
      sharing.SetPin(id, {Pin::Kind::kOutput, static_cast<int32_t>(o)});
    }
  }

  // Why an output cannot have the memory of the input that it is asked to have; empty: all can.
  std::string ShareOverlays(Sharing& sharing) const {
    for (const PlanOptions::Overlay& each : input_.options.overlays) {
      if (each.method != graph_.name) continue;
      // Inputs that are stored to come first.
      const size_t at = graph_.input_stores.size() + static_cast<size_t>(each.output);
      const ValueId output = code_.outputs[at];
      const ValueId input = code_.inputs[static_cast<size_t>(each.input)];
      if (!sharing.TryShare(input, output)) return Refused(each);
      if (!input_.options.plan_outputs) {
        sharing.SetPin(input, {Pin::Kind::kOutput, static_cast<int32_t>(at)});
      }
    }
    return "";
  }

  static std::string Refused(const PlanOptions::Overlay& overlay) {
    return "output " + std::to_string(overlay.output) + " cannot have the memory of input " +
           std::to_string(overlay.input) +
           ": the input is still read after the first write to the output, or the input is smaller";
  }

  void Share(const std::vector<bool>& keep_concat, Sharing& sharing) const {
    if (Passes().elide_views) ElideViews(code_, sharing);
    if (Passes().elide_copies) ElideCopies(code_, sharing);
    if (Passes().in_place) MakeInPlace(code_, sharing);
    if (Passes().elide_concats) ElideConcats(code_, keep_concat, sharing);
    if (Passes().elide_slices) ElideSlices(code_, sharing);
  }

  // Stores of which nothing is left, although no instruction writes the buffer's bytes.
  [[nodiscard]] std::vector<int32_t> HollowStores(const Sharing& sharing) const {
    std::vector<bool> written(sharing.storages().size());
    for (const Step& step : code_.steps) {
      if (IsElided(code_, sharing, step) || IsRenamed(code_, sharing, step)) continue;
      const auto copied = [&] {
        return step.kind == StepKind::kCopy && graph_.name != kModuleInit;
      };
      if (Planted(Defect::kStoresHollow) && copied()) continue;
      for (const ValueId v : step.results) {
        written[static_cast<size_t>(sharing.StorageIndexOf(v))] = true;
      }
    }
    std::vector<int32_t> hollow;
    for (size_t b = 0; b < code_.exit.size(); ++b) {
      const ValueId v = code_.exit[b];
      if (v < 0 || written[static_cast<size_t>(sharing.StorageIndexOf(v))]) continue;
      hollow.push_back(static_cast<int32_t>(b));
    }
    return hollow;
  }

  void Append(std::span<const Sizes> bounds, const Sharing& sharing, PlacedStorages& placed) {
    for (BankReport& report : placed.report) {
      report.method = graph_.name;
      planned_.report.push_back(std::move(report));
    }
    Method& method = planned_.program.methods.emplace_back();
    method.name = graph_.name;
    for (const PlanOptions::Bank& bank : input_.options.banks) {
      if (!bank.on_device || placed.used[bank.memory_id] == 0) continue;
      method.bank_devices.push_back({.bank = bank.memory_id, .device_type = 1});
    }
    planned_.elided.push_back(Emit({.code = code_,
                                    .sharing = sharing,
                                    .bounds = bounds,
                                    .places = placed.places,
                                    .buffers = input_.buffers,
                                    .method = graph_.name,
                                    .store_operators = input_.options.store_operators},
                                   method));
    if (input_.options.plan_buffers) {
      placed.used[kSharedBank] = input_.state.shared_size[input_.method];
      placed.used[kPrivateBank] = input_.state.private_size[input_.method];
    }
    method.bank_sizes.resize(kActivationBank + 1);
    for (const Place& place : placed.places) {  // also of values without elements
      const auto id = static_cast<size_t>(place.bank);
      if (method.bank_sizes.size() <= id) method.bank_sizes.resize(id + 1);
    }
    for (const auto& [bank, bytes] : placed.used) {
      const auto id = static_cast<size_t>(bank);
      if (bytes == 0) continue;
      if (method.bank_sizes.size() <= id) method.bank_sizes.resize(id + 1);
      method.bank_sizes[id] = static_cast<uint64_t>(bytes);
    }
  }

  MethodInput input_;
  const graph::Method& graph_;
  Planned& planned_;
  Code code_;
};

}  // namespace

MethodOutcome PlanMethod(MethodInput input, Planned& planned) {
  return MethodPlanner(std::move(input), planned).Go();
}

void RemoveStore(Code& code, int32_t buffer) {
  ValueId& stored = code.exit[static_cast<size_t>(buffer)];
  std::vector<bool> marked;
  for (const Step& step : code.steps) {
    marked.push_back(step.kind == StepKind::kCopy && step.results.front() == stored);
  }
  RemoveSteps(code, marked);
  stored = -1;
}

}  // namespace pteproof::planner
