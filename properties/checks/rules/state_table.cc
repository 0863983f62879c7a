#include "properties/checks/rules/state_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace pteproof::checks {
namespace {

StateInstance InstanceOf(const MethodCheck& check, int32_t method, int32_t state) {
  const auto s = static_cast<size_t>(state);
  const StateSlot& slot = check.roles.states[s];
  const Usage& usage = check.roles.usage[static_cast<size_t>(slot.value)];
  StateInstance instance;
  instance.method = method;
  instance.state = state;
  instance.value = slot.value;
  instance.place = slot.place;
  instance.dtype = check.method->TensorOf(slot.value)->dtype;
  instance.initial = slot.initial;
  instance.external = slot.external;
  instance.reads = check.entry_reader[s] >= 0;
  instance.writes = check.state_written[s];
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

class TableMaker {
 public:
  explicit TableMaker(std::span<const MethodCheck> methods) {
    table_.key_of.resize(methods.size());
  }

  void Add(const StateSlot& slot, const StateInstance& instance) {
    std::vector<int32_t>& known = keys_[IdentityOf(slot)];
    const auto is_it = [&](int32_t k) {
      const StateKey& key = table_.keys[static_cast<size_t>(k)];
      return instance.possible.empty() ||
             std::ranges::all_of(key.instances, [&](const StateInstance& other) {
               return MayBeOne(other, instance);
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

  std::map<Identity, std::vector<int32_t>> keys_;
  StateTable table_;
};

}  // namespace

StateTable StateTableOf(std::span<const MethodCheck> methods) {
  const auto has_state = [](const MethodCheck& m) { return !m.roles.states.empty(); };
  if (std::ranges::none_of(methods, has_state)) return {};
  TableMaker maker(methods);
  for (size_t m = 0; m < methods.size(); ++m) {
    const auto& states = methods[m].roles.states;
    for (size_t s = 0; s < states.size(); ++s) {
      maker.Add(states[s],
                InstanceOf(methods[m], static_cast<int32_t>(m), static_cast<int32_t>(s)));
    }
  }
  return std::move(maker).Take();
}

}  // namespace pteproof::checks
