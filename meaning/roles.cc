// Idea: the file states most roles: inputs are listed, constants have data and no placement. State
// is inferred from these signs, the surest first:
//
//   1. a planned value with a name or with stored initial data                    v0 'cache' [0,32)
//   2. a further value of the same name and place: another name of that state     v4 'cache' [0,32)
//   3. without a name: numbered before the first input, and no operator returns it
//   4. without a name: only updated in place, and never read in this call
//   5. used before any instruction makes it, and no view (AdoptState, after aliases.h)
//
// Invariant: each value has one role. `StateSlot::value` is the one value that owns a state, and
// has the role kState; `state_of` leads all values of its name and place to that state.
//
// Cost: O(n log n) in values, O(n) in accesses.
#include "meaning/roles.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

void NoteRead(Usage& usage, int32_t at) {
  if (usage.first_read < 0) usage.first_read = at;
  usage.last_read = at;
}

void NoteWrite(Usage& usage, int32_t at) {
  if (usage.first_write < 0) usage.first_write = at;
  usage.last_write = at;
}

// A name that a call or a move makes lies in its source's bytes, whatever place the file gives it.
bool LiesElsewhere(const Method& method, const Rename& rename) {
  const Tensor& to = *method.TensorOf(rename.to);
  const Tensor& from = *method.TensorOf(rename.from);
  return !to.planned || !from.planned || to.bank != from.bank || to.offset != from.offset ||
         to.nbytes != from.nbytes;
}

// A name of a name that lies elsewhere lies there too, whatever places the file gives both.
void SpreadElsewhere(const Effects& effects, std::vector<Usage>& usage) {
  std::vector<std::pair<int32_t, int32_t>> names;  // a value, and a name that is taken from it
  std::vector<int32_t> open;
  for (const Rename& r : effects.renames) {
    if (r.placed || r.after_write) continue;
    names.emplace_back(r.from, r.to);
    if (usage[static_cast<size_t>(r.to)].elsewhere) open.push_back(r.to);
  }
  std::ranges::sort(names);
  while (!open.empty()) {
    const int32_t from = open.back();
    open.pop_back();
    if (!usage[static_cast<size_t>(from)].leaves_place_unmade()) continue;
    const auto taken =
        std::ranges::equal_range(names, from, {}, &std::pair<int32_t, int32_t>::first);
    for (const auto& [_, to] : taken) {
      if (usage[static_cast<size_t>(to)].elsewhere) continue;
      usage[static_cast<size_t>(to)].elsewhere = true;
      open.push_back(to);
    }
  }
}

std::vector<Usage> UsageOf(const Method& method, const Effects& effects) {
  std::vector<Usage> usage(method.values.size());
  const auto at = [&](int32_t v) -> Usage& { return usage[static_cast<size_t>(v)]; };
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const auto now = static_cast<int32_t>(i);
    for (const Read& r : effects.ReadsOf(i)) NoteRead(at(r.value), now);
    for (const Write& w : effects.WritesOf(i)) {
      NoteWrite(at(w.value), now);
      if (w.access == Access::kFill) at(w.value).filled = true;
      (w.is_out ? at(w.value).written_as_out : at(w.value).written_in_place) = true;
    }
    for (const Rename& r : effects.RenamesOf(i)) {
      if (!r.after_write) NoteRead(at(r.from), now);
      NoteWrite(at(r.to), now);
      at(r.to).renamed = true;
      if (!r.placed && LiesElsewhere(method, r)) at(r.to).elsewhere = true;
    }
  }
  for (const Read& left : effects.left_alone) {
    at(left.value).filled = true;
    if (at(left.value).first_write < 0) at(left.value).first_write = 0;
  }
  for (const int32_t v : method.outputs) at(v).is_output = true;
  SpreadElsewhere(effects, usage);
  return usage;
}

Role PlainRole(const Tensor& tensor) {
  if (tensor.planned) return Role::kLocal;
  return tensor.data_index > 0 || tensor.external ? Role::kConstant : Role::kCaller;
}

std::string_view KeyOf(const Method& method, int32_t v, const ManifestMethod* stated) {
  if (stated != nullptr) {
    if (const auto it = stated->values.find(v); it != stated->values.end()) return it->second;
  }
  return method.NameOf(v);
}

class StateFinder {
 public:
  StateFinder(const Method& method, const ExporterOrder& order, const ManifestMethod* stated,
              Roles& roles)
      : method_(method), order_(order), stated_(stated), roles_(roles) {
    first_input_ = method.inputs.empty() ? -1 : *std::ranges::min_element(method.inputs);
  }

  void Run() {
    roles_.state_of.assign(method_.values.size(), -1);
    ClaimNamed();
    ClaimStored();
    ClaimUnnamed();
    Sort();
  }

 private:
  Role& RoleOf(int32_t v) { return roles_.of[static_cast<size_t>(v)]; }
  const Usage& UsageOf(int32_t v) const { return roles_.usage[static_cast<size_t>(v)]; }
  const Place& PlaceOf(int32_t v) const { return roles_.place[static_cast<size_t>(v)]; }

  void Claim(int32_t v, std::string_view key) {
    const Tensor& tensor = *method_.TensorOf(v);
    RoleOf(v) = Role::kState;
    roles_.state_of[static_cast<size_t>(v)] = static_cast<int32_t>(roles_.states.size());
    roles_.states.push_back(
        {v, key, PlaceOf(v), tensor.planned ? tensor.data_index : 0, tensor.external, {}});
  }

  // Views of a named buffer carry its name too: one state per name and place, the others are names
  // of it.
  void ClaimNamed() {
    std::map<std::tuple<std::string_view, uint32_t, uint64_t>, int32_t> known;
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      const Tensor* tensor = method_.TensorOf(v);
      if (tensor == nullptr || RoleOf(v) == Role::kInput || RoleOf(v) == Role::kConstant) continue;
      const std::string_view key = KeyOf(method_, v, stated_);
      if (key.empty()) continue;
      const auto [it, fresh] = known.try_emplace({key, tensor->bank, tensor->offset},
                                                 static_cast<int32_t>(roles_.states.size()));
      if (fresh) {
        Claim(v, key);
      } else {
        roles_.state_of[static_cast<size_t>(v)] = it->second;
        AdoptBetterValue(it->second, v);
      }
    }
  }

  // Under a shuffled numbering the first value of a name may be a view: the buffer is the one with
  // stored data, or the one that stores go to.
  void AdoptBetterValue(int32_t state, int32_t v) {
    const StateSlot& slot = roles_.states[static_cast<size_t>(state)];
    const Tensor& tensor = *method_.TensorOf(v);
    const bool stored = tensor.data_index > 0 || tensor.external;
    const bool target =
        !order_.holds && !UsageOf(slot.value).written_in_place && UsageOf(v).written_in_place;
    const bool has_data = slot.initial > 0 || slot.external;
    if (has_data ? stored && target : stored || target) SetValue(state, v);
  }

  // What has a stored initial value lives from call to call. An elided view of such a buffer
  // carries the value too: of one place, type and initial value, the buffer is what stores go to,
  // and a value that no instruction writes is a name of it.
  void ClaimStored() {
    using Form = std::tuple<uint32_t, uint64_t, uint64_t, ScalarType, uint32_t>;
    const auto form_of = [&](int32_t v) {
      const Tensor& t = *method_.TensorOf(v);
      return Form{t.bank, t.offset, t.nbytes, t.dtype, t.data_index};
    };
    std::map<Form, int32_t> known;
    for (int32_t s = 0; s < static_cast<int32_t>(roles_.states.size()); ++s) {
      const StateSlot& slot = roles_.states[static_cast<size_t>(s)];
      if (slot.initial > 0) known.try_emplace(form_of(slot.value), s);
    }
    for (const bool written : {true, false}) {
      for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
        if (!IsStoredWithoutState(v) || (UsageOf(v).first_write >= 0) != written) continue;
        const auto [it, fresh] =
            known.try_emplace(form_of(v), static_cast<int32_t>(roles_.states.size()));
        if (fresh) {
          Claim(v, {});
        } else if (!written) {
          roles_.state_of[static_cast<size_t>(v)] = it->second;
        } else if (!TakesStores(it->second)) {
          SetValue(it->second, v);
        } else {
          Claim(v, {});
        }
      }
    }
  }

  bool IsStoredWithoutState(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && tensor->planned && tensor->data_index > 0 &&
           roles_.of[static_cast<size_t>(v)] == Role::kLocal &&
           roles_.state_of[static_cast<size_t>(v)] < 0;
  }

  bool TakesStores(int32_t state) const {
    return UsageOf(roles_.states[static_cast<size_t>(state)].value).first_write >= 0;
  }

  // Makes a value the state's own; the one that was is a name of it.
  void SetValue(int32_t state, int32_t v) {
    StateSlot& slot = roles_.states[static_cast<size_t>(state)];
    const Tensor& tensor = *method_.TensorOf(v);
    RoleOf(slot.value) = Role::kLocal;
    RoleOf(v) = Role::kState;
    roles_.state_of[static_cast<size_t>(v)] = state;
    slot = {v, slot.key, PlaceOf(v), tensor.data_index, tensor.external, {}};
  }

  void ClaimUnnamed() {
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      if (RoleOf(v) != Role::kLocal || roles_.state_of[static_cast<size_t>(v)] >= 0) continue;
      if (ComesBeforeInputs(v) || OnlyStoredTo(v)) Claim(v, {});
    }
  }

  // State comes before user inputs in value order; so does nothing else that is planned.
  bool ComesBeforeInputs(int32_t v) const {
    return order_.holds && first_input_ >= 0 && v < first_input_ && !UsageOf(v).written_as_out &&
           !UsageOf(v).renamed;
  }

  // A value that only in-place operators write and that nobody reads in this call is stored for
  // another. Rows that are collected, and read by nobody, are not.
  bool OnlyStoredTo(int32_t v) const {
    const Usage& usage = UsageOf(v);
    return usage.written_in_place && !usage.written_as_out && !usage.filled && !usage.renamed &&
           !usage.is_output && usage.first_read < 0;
  }

  void Sort() {
    if (roles_.states.size() < 2) return;
    std::vector<int32_t> order(roles_.states.size());
    for (size_t s = 0; s < order.size(); ++s) order[s] = static_cast<int32_t>(s);
    std::ranges::sort(order, {},
                      [&](int32_t s) { return roles_.states[static_cast<size_t>(s)].value; });
    std::vector<int32_t> renumbered(order.size());
    std::vector<StateSlot> sorted;
    sorted.reserve(order.size());
    for (size_t s = 0; s < order.size(); ++s) {
      renumbered[static_cast<size_t>(order[s])] = static_cast<int32_t>(s);
      sorted.push_back(roles_.states[static_cast<size_t>(order[s])]);
    }
    roles_.states = std::move(sorted);
    for (int32_t& s : roles_.state_of) {
      if (s >= 0) s = renumbered[static_cast<size_t>(s)];
    }
  }

  const Method& method_;
  const ExporterOrder& order_;
  const ManifestMethod* stated_;
  Roles& roles_;
  int32_t first_input_ = -1;
};

}  // namespace

Roles RolesOf(const Method& method, const Effects& effects, const ExporterOrder& order,
              const ManifestMethod* stated) {
  Roles roles;
  roles.usage = UsageOf(method, effects);
  roles.of.resize(method.values.size(), Role::kNoTensor);
  roles.place.resize(method.values.size());
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr) continue;
    roles.of[v] = PlainRole(*tensor);
    if (tensor->planned)
      roles.place[v] = {tensor->bank, tensor->offset, tensor->offset + tensor->nbytes};
  }
  for (const int32_t v : method.inputs) {
    if (method.TensorOf(v) != nullptr) roles.of[static_cast<size_t>(v)] = Role::kInput;
  }
  StateFinder(method, order, stated, roles).Run();
  return roles;
}

void AdoptState(const Method& method, Roles& roles, int32_t value) {
  const auto v = static_cast<size_t>(value);
  roles.of[v] = Role::kState;
  roles.state_of[v] = static_cast<int32_t>(roles.states.size());
  const Tensor& tensor = *method.TensorOf(value);
  const uint32_t initial = tensor.planned ? tensor.data_index : 0;
  roles.states.push_back({value, {}, roles.place[v], initial, tensor.external, {}});
}

}  // namespace pteproof::meaning
