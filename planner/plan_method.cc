#include "planner/plan_method.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/checked_math.h"
#include "planner/code/edit.h"
#include "planner/code/same_bytes.h"
#include "planner/passes/passes.h"
#include "planner/placement/load.h"
#include "reference/graph/bounds.h"
#include "reference/graph/builder.h"

namespace pteproof::planner {
namespace {

using placement::Item;

// ExecuTorch's sizes are 32-bit; above this no bank could be had anyway.
constexpr int64_t kLargestSize = std::numeric_limits<int32_t>::max();
constexpr int64_t kLargestTensor = int64_t{1} << 46;

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
    if (std::string fault = FindBounds(); !fault.empty()) return {std::move(fault), {}};
    keep_concat_.resize(code_.values.size());
    for (;;) {
      Sharing sharing(code_, nbytes_);
      SetPins(sharing);
      Share(sharing);
      if (auto hollow = HollowStores(sharing); !hollow.empty()) return {"", std::move(hollow)};
      places_.assign(sharing.storages().size(), {});
      PlaceState(sharing);
      if (std::string fault = PlaceRest(sharing); !fault.empty()) return {std::move(fault), {}};
      if (FindAmbiguous(sharing)) continue;
      Report();
      EmitMethod(sharing);
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

  // Callers' tensors that the method may not overwrite.
  void Protect() {
    NameViewsOfUnplanned();
    if (input_.options.plan_inputs) return;
    for (size_t n = 0; n < graph_.inputs.size(); ++n) {
      const bool stored = std::ranges::find(graph_.input_stores, static_cast<int32_t>(n),
                                            &graph::InputStore::input) != graph_.input_stores.end();
      const bool ours = graph_.inputs[n].in_place || stored;
      if (!ours) code_.values[static_cast<size_t>(code_.inputs[n])].keep = true;
    }
  }

  [[nodiscard]] Sizes BoundOf(const TensorType& type) const {
    return input_.options.bounds == Bounds::kHint ? graph::SizesAtHints(type, graph_)
                                                  : graph::UpperBoundOf(type, graph_);
  }

  std::string FindBounds() {
    for (size_t v = 0; v < code_.values.size(); ++v) {
      const TensorType* type = TensorTypeOf(code_, static_cast<ValueId>(v));
      bounds_.push_back(type == nullptr ? Sizes{} : BoundOf(*type));
      nbytes_.push_back(0);
      if (type == nullptr) continue;
      int64_t bytes = ElementSize(type->dtype);
      for (const int64_t size : bounds_.back()) {
        if (size < 0 || size > kLargestSize) return Unbounded(*type);
        bytes = CheckedMul(bytes, size).value_or(kLargestTensor + 1);
      }
      if (bytes > kLargestTensor) return Unbounded(*type);
      nbytes_.back() = bytes;
    }
    return "";
  }

  // Names the dim with the largest range of those that the sizes depend on.
  [[nodiscard]] std::string Unbounded(const TensorType& type) const {
    const graph::DimSymbol* widest = nullptr;
    for (const SizeExpr& size : type.sizes) {
      for (const int32_t symbol : size.Symbols()) {
        const graph::DimSymbol& dim = graph_.dims[static_cast<size_t>(symbol)];
        if (widest == nullptr || dim.hi > widest->hi) widest = &dim;
      }
    }
    if (widest == nullptr) return "a tensor is too large for any bank";
    return "dim " + widest->name + " has no bound that a bank could hold (its largest value is " +
           std::to_string(widest->hi) +
           "): give it a smaller one, or plan for the example with --bounds hint";
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
    if (input_.options.plan_outputs) return;
    for (size_t o = 0; o < code_.outputs.size(); ++o) {
      const ValueId id = code_.outputs[o];
      if (code_.values[static_cast<size_t>(id)].origin != Origin::kStep) continue;
      sharing.SetPin(id, {Pin::Kind::kOutput, static_cast<int32_t>(o)});
    }
  }

  void Share(Sharing& sharing) {
    ShareStored(code_, sharing);
    sharing.MarkPassed();
    if (Passes().elide_views) ElideViews(code_, sharing);
    if (Passes().elide_copies) ElideCopies(code_, sharing);
    if (Passes().in_place) MakeInPlace(code_, sharing);
    if (Passes().elide_concats) ElideConcats(code_, keep_concat_, sharing);
  }

  // Stores of which nothing is left, although no instruction writes the buffer's bytes.
  [[nodiscard]] std::vector<int32_t> HollowStores(const Sharing& sharing) const {
    std::vector<bool> written(sharing.storages().size());
    for (const Step& step : code_.steps) {
      if (IsElided(code_, sharing, step) || IsRenamed(code_, sharing, step)) continue;
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

  void PlaceState(const Sharing& sharing) {
    if (!input_.options.plan_buffers) return;
    for (size_t s = 0; s < places_.size(); ++s) {
      const Pin& pin = sharing.storages()[s].pin;
      if (pin.kind != Pin::Kind::kBuffer) continue;
      const auto& place = input_.state.places[input_.method][static_cast<size_t>(pin.index)];
      places_[s] = {place->bank, place->offset};
    }
  }

  [[nodiscard]] int64_t AlignmentOf(const Storage& storage) const {
    int64_t alignment = input_.options.alignment;
    for (const Member& m : storage.members) {
      const auto size = ElementSize(TensorTypeOf(code_, m.value)->dtype);
      alignment = std::max<int64_t>(alignment, size);
    }
    return alignment;
  }

  // A concatenation that nothing writes is told by what tiles it. Where another value has its very
  // place, a reader takes it for a view of that one: then it stays. Whether there was any such.
  bool FindAmbiguous(const Sharing& sharing) {
    using Key = std::tuple<int32_t, int64_t, int64_t>;
    std::map<Key, int32_t> storages;  // by place: the storage there; -1: several
    const auto key_of = [&](ValueId v) {
      const Place& place = places_[static_cast<size_t>(sharing.StorageIndexOf(v))];
      return Key{place.bank, place.offset + sharing.InsideOf(v), sharing.BytesOf(v)};
    };
    for (size_t v = 0; v < code_.values.size(); ++v) {
      const auto id = static_cast<ValueId>(v);
      if (TensorTypeOf(code_, id) == nullptr) continue;
      const int32_t storage = sharing.StorageIndexOf(id);
      const auto [known, is_new] = storages.try_emplace(key_of(id), storage);
      if (!is_new && known->second != storage) known->second = -1;
    }
    bool any = false;
    for (size_t v = 0; v < code_.values.size(); ++v) {
      const auto id = static_cast<ValueId>(v);
      if (!sharing.HasParts(id) || storages[key_of(id)] >= 0) continue;
      keep_concat_[v] = any = true;
    }
    return any;
  }

  // Every storage that has bytes and is wanted at some point, in the banks that there are.
  std::string PlaceRest(const Sharing& sharing) {
    std::vector<Item<int64_t>> items;
    std::vector<size_t> storage_of;
    std::vector<placement::Preference> preferences;
    for (size_t s = 0; s < places_.size(); ++s) {
      const Storage& storage = sharing.storages()[s];
      if (storage.members.empty() || storage.pin.kind != Pin::Kind::kNone) continue;
      if (TensorTypeOf(code_, storage.members.front().value) == nullptr) continue;
      items.push_back(
          {.size = storage.nbytes, .alignment = AlignmentOf(storage), .live = storage.live});
      storage_of.push_back(s);
      preferences.push_back(PreferenceOf(storage.pool));
    }
    const auto laid = PlaceInBanks(items, Banks(), preferences, Placer());
    if (!laid.ok()) return TextOf(laid.error(), sharing, storage_of);
    for (size_t i = 0; i < items.size(); ++i) {
      const auto bank = static_cast<size_t>(laid.value().bank[i]);
      places_[storage_of[i]] = {MemoryIdOf(bank), laid.value().offsets[i]};
    }
    items_ = std::move(items);
    laid_ = laid.value();
    return "";
  }

  [[nodiscard]] std::vector<placement::Bank> Banks() const {
    std::vector<placement::Bank> banks;
    for (const auto& each : input_.options.banks) banks.push_back(each.bank);
    if (banks.empty()) banks.push_back({.name = "default"});
    return banks;
  }
  [[nodiscard]] int32_t MemoryIdOf(size_t bank) const {
    const auto& banks = input_.options.banks;
    return banks.empty() ? kActivationBank : banks[bank].memory_id;
  }
  [[nodiscard]] placement::Preference PreferenceOf(const std::string& pool) const {
    if (pool.empty()) return {};
    if (input_.options.pools) return input_.options.pools(pool).value_or(placement::Preference{});
    const std::vector<placement::Bank> banks = Banks();
    for (size_t b = 0; b < banks.size(); ++b) {
      if (banks[b].name == pool) return {static_cast<int32_t>(b)};
    }
    return {};
  }
  [[nodiscard]] placement::Placer Placer() const {
    const PlanOptions& options = input_.options;
    if (options.placer) return options.placer;
    return options.effort ? placement::PlacerOf(options.algorithm, *options.effort)
                          : placement::PlacerOf(options.algorithm);
  }

  [[nodiscard]] std::string TextOf(const placement::BankError& error, const Sharing& sharing,
                                   std::span<const size_t> storage_of) const {
    std::string names;
    for (const int32_t item : error.items) {
      const size_t s = storage_of[static_cast<size_t>(item)];
      const ValueId v = sharing.storages()[s].members.front().value;
      names += (names.empty() ? "value " : ", value ") + std::to_string(v) + " (" +
               std::to_string(sharing.storages()[s].nbytes) + " bytes)";
    }
    return error.why + (names.empty() ? "" : ": " + names);
  }

  void Report() {
    for (size_t b = 0; b < laid_.peaks.size(); ++b) {
      BankReport report = {.method = graph_.name, .bank = MemoryIdOf(b), .peak = laid_.peaks[b]};
      std::vector<Item<int64_t>> here;
      for (size_t i = 0; i < items_.size(); ++i) {
        if (static_cast<size_t>(laid_.bank[i]) != b) continue;
        here.push_back(items_[i]);
        report.naive +=
            (items_[i].size + items_[i].alignment - 1) / items_[i].alignment * items_[i].alignment;
      }
      report.load = placement::LoadOf(here);
      planned_.report.push_back(std::move(report));
    }
  }

  void EmitMethod(const Sharing& sharing) {
    Method& method = planned_.program.methods.emplace_back();
    method.name = graph_.name;
    Emit({.code = code_,
          .sharing = sharing,
          .bounds = bounds_,
          .places = places_,
          .buffers = input_.buffers,
          .method = graph_.name,
          .store_operators = input_.options.store_operators},
         method);
    const auto reserve = [&](int32_t bank, int64_t bytes) {
      const auto id = static_cast<size_t>(bank);
      if (bytes == 0 && bank != kActivationBank) return;
      if (method.bank_sizes.size() <= id) method.bank_sizes.resize(id + 1);
      method.bank_sizes[id] = std::max(method.bank_sizes[id], static_cast<uint64_t>(bytes));
    };
    for (size_t b = 0; b < laid_.peaks.size(); ++b) reserve(MemoryIdOf(b), laid_.peaks[b]);
    reserve(kActivationBank, 0);
    if (!input_.options.plan_buffers) return;
    reserve(kSharedBank, input_.state.shared_size[input_.method]);
    reserve(kPrivateBank, input_.state.private_size[input_.method]);
  }

  MethodInput input_;
  const graph::Method& graph_;
  Planned& planned_;
  Code code_;
  std::vector<Sizes> bounds_;
  std::vector<int64_t> nbytes_;
  std::vector<Place> places_;
  std::vector<bool> keep_concat_;  // by value
  std::vector<Item<int64_t>> items_;
  placement::BankedLayout laid_;
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
