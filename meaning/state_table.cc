#include "meaning/state_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "meaning/same_elements.h"
#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

// Whether each call replaces the buffer's bytes, whatever they were.
bool StoresAll(const MethodMeaning& meant, size_t state) {
  if (meant.state_uses[state].reader >= 0 || !meant.graph.straight()) return false;
  const MethodFlow flow = meant.flow();
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Write& w : meant.effects.WritesOf(static_cast<size_t>(i))) {
      const bool all = w.access == Access::kWrite && !IsSelfCopy(flow, i) &&
                       flow.PlaceOf(w.value).Holds(meant.roles.states[state].place);
      if (all && flow.StoredState(w) == static_cast<int32_t>(state)) return true;
    }
  }
  return false;
}

StateInstance InstanceOf(const MethodMeaning& meant, int32_t method, int32_t state) {
  const auto s = static_cast<size_t>(state);
  const StateSlot& slot = meant.roles.states[s];
  const Usage& usage = meant.roles.usage[static_cast<size_t>(slot.value)];
  StateInstance instance;
  instance.method = method;
  instance.state = state;
  instance.value = slot.value;
  instance.place = slot.place;
  const Tensor& tensor = *meant.method->TensorOf(slot.value);
  instance.dtype = tensor.dtype;
  instance.initial = slot.initial;
  instance.external = slot.external;
  instance.reads = meant.state_uses[s].reader >= 0 && tensor.nbytes > 0;
  instance.writes = meant.state_uses[s].written;
  instance.stores_all = instance.writes && StoresAll(meant, s);
  instance.touched = instance.reads || instance.writes || usage.touched() || usage.is_output;
  instance.possible = slot.possible;
  return instance;
}

// Whether the manifest admits that two states without names are one buffer.
bool MayBeOne(const StateInstance& a, const StateInstance& b) {
  if (a.possible.empty() || b.possible.empty()) return true;
  return std::ranges::any_of(a.possible, [&](std::string_view name) {
    return std::ranges::binary_search(b.possible, name);
  });
}

// The exporter numbers a model's parameters and buffers in one order, ahead of the inputs. Methods
// with the same list there are methods of one model, in which a number means one buffer.
class ModelHeads {
 public:
  explicit ModelHeads(std::span<const MethodMeaning> methods) : methods_(methods) {
    std::map<Head, int32_t> known;
    for (const MethodMeaning& meant : methods) {
      const Head head = HeadOf(meant);
      head_.push_back(
          head.empty() ? -1
                       : known.try_emplace(head, static_cast<int32_t>(known.size())).first->second);
    }
  }

  // Whether the numbers of two states are those of two buffers: one is a constant in the other's
  // method.
  [[nodiscard]] bool TellApart(const StateInstance& a, const StateInstance& b) const {
    const int32_t head = head_[static_cast<size_t>(a.method)];
    if (a.value == b.value || head < 0 || head != head_[static_cast<size_t>(b.method)])
      return false;
    return IsConstant(a.method, b.value) || IsConstant(b.method, a.value);
  }

 private:
  using Head = std::vector<std::pair<ScalarType, std::vector<int32_t>>>;

  static Head HeadOf(const MethodMeaning& meant) {
    const Method& method = *meant.method;
    if (!meant.order.holds || method.inputs.empty()) return {};
    Head head;
    for (int32_t v = 0; v < std::ranges::min(method.inputs); ++v) {
      const Tensor* tensor = method.TensorOf(v);
      if (tensor == nullptr) continue;
      const auto sizes = method.Ints(tensor->sizes);
      head.push_back({tensor->dtype, {sizes.begin(), sizes.end()}});
    }
    return head;
  }

  [[nodiscard]] bool IsConstant(int32_t method, int32_t v) const {
    const auto& roles = methods_[static_cast<size_t>(method)].roles.of;
    return static_cast<size_t>(v) < roles.size() &&
           roles[static_cast<size_t>(v)] == Role::kConstant;
  }

  std::span<const MethodMeaning> methods_;
  std::vector<int32_t> head_;  // per method: equal numbers for equal lists; -1: none is known
};

class TableMaker {
 public:
  explicit TableMaker(std::span<const MethodMeaning> methods) : heads_(methods) {
    table_.key_of.resize(methods.size());
  }

  void Add(const StateSlot& slot, const StateInstance& instance) {
    std::vector<int32_t>& known = keys_[IdentityOf(slot)];
    const auto is_it = [&](int32_t k) {
      const StateKey& key = table_.keys[static_cast<size_t>(k)];
      return !slot.key.empty() ||
             std::ranges::all_of(key.instances, [&](const StateInstance& other) {
               return MayBeOne(other, instance) && !heads_.TellApart(other, instance);
             });
    };
    const auto found = std::ranges::find_if(known, is_it);
    const int32_t k = found == known.end() ? static_cast<int32_t>(table_.keys.size()) : *found;
    if (found == known.end()) {
      known.push_back(k);
      table_.keys.push_back({slot.key, {}, false, false});
    }
    StateKey& key = table_.keys[static_cast<size_t>(k)];
    key.instances.push_back(instance);
    key.read_somewhere = key.read_somewhere || instance.reads;
    key.written_somewhere = key.written_somewhere || instance.writes;
    table_.key_of[static_cast<size_t>(instance.method)].push_back(k);
  }

  StateTable Take() && { return std::move(table_); }

 private:
  using Identity = std::tuple<std::string_view, uint32_t, uint64_t, uint64_t>;

  static Identity IdentityOf(const StateSlot& slot) {
    return slot.key.empty() ? Identity{{}, slot.place.bank, slot.place.lo, slot.place.hi}
                            : Identity{slot.key, 0, 0, 0};
  }

  ModelHeads heads_;
  std::map<Identity, std::vector<int32_t>> keys_;
  StateTable table_;
};

// Whether a call of the reader can find what a call of the method has left.
bool ReadsAfter(const CallOrder& calls, const StateKey& key, int32_t method,
                const StateInstance& reader) {
  return reader.reads && calls.Has({{method}, {reader.method, RenewersOf(key, reader.place)}});
}

void NoteLaterReads(std::span<const MethodMeaning> methods, const CallOrder& calls,
                    StateTable& table) {
  table.later.resize(table.key_of.size());
  for (size_t m = 0; m < table.key_of.size(); ++m) {
    const auto method = static_cast<int32_t>(m);
    for (size_t s = 0; s < table.key_of[m].size(); ++s) {
      const StateKey& key = table.keys[static_cast<size_t>(table.key_of[m][s])];
      LaterReads& later = table.later[m].emplace_back();
      later.by_itself = methods[m].state_uses[s].reader >= 0 && calls.Has({{method}, {method}});
      later.by_any = calls.IsAny() ? key.read_somewhere
                                   : std::ranges::any_of(key.instances, [&](const auto& reader) {
                                       return ReadsAfter(calls, key, method, reader);
                                     });
    }
  }
}

}  // namespace

std::vector<int32_t> RenewersOf(const StateKey& key, const Place& place) {
  std::vector<int32_t> renewers;
  for (const StateInstance& i : key.instances) {
    if (i.stores_all && i.place == place) renewers.push_back(i.method);
  }
  return renewers;
}

bool IsObserved(const MethodMeaning& method, const StateTable& states, size_t index,
                int32_t reader) {
  const MethodFlow flow = method.flow();
  if (reader < 0 || reader >= flow.instruction_count()) return true;
  const auto writes = flow.effects.WritesOf(static_cast<size_t>(reader));
  return writes.empty() || std::ranges::any_of(writes, [&](const Write& w) {
           const int32_t state = flow.StoredState(w);
           if (state < 0 || method.state_uses[static_cast<size_t>(state)].read_inside) return true;
           return states.later[index][static_cast<size_t>(state)].by_any;
         });
}

PolicySet PoliciesWanting(const MethodMeaning& method, const StateTable& states, size_t index,
                          int32_t state) {
  const LaterReads& later = states.later[index][static_cast<size_t>(state)];
  if (later.by_itself) return PolicySet::All();
  const uint32_t bank = method.roles.states[static_cast<size_t>(state)].place.bank;
  return later.by_any ? PoliciesSharing(bank) : PolicySet::None();
}

StateTable StateTableOf(std::span<const MethodMeaning> methods, const CallOrder& calls) {
  const auto has_state = [](const MethodMeaning& m) { return !m.roles.states.empty(); };
  if (std::ranges::none_of(methods, has_state)) return {};
  TableMaker maker(methods);
  for (size_t m = 0; m < methods.size(); ++m) {
    const auto& states = methods[m].roles.states;
    for (size_t s = 0; s < states.size(); ++s) {
      maker.Add(states[s],
                InstanceOf(methods[m], static_cast<int32_t>(m), static_cast<int32_t>(s)));
    }
  }
  StateTable table = std::move(maker).Take();
  NoteLaterReads(methods, calls, table);
  return table;
}

}  // namespace pteproof::meaning
