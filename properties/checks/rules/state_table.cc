#include "properties/checks/rules/state_table.h"

#include <algorithm>
#include <map>
#include <tuple>

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
  return instance;
}

}  // namespace

StateTable StateTableOf(std::span<const MethodCheck> methods) {
  using Identity = std::tuple<std::string_view, uint32_t, uint64_t, uint64_t>;
  std::map<Identity, int32_t> known;
  StateTable table;
  const auto has_state = [](const MethodCheck& m) { return !m.roles.states.empty(); };
  if (std::ranges::none_of(methods, has_state)) return table;
  table.key_of.resize(methods.size());
  for (size_t m = 0; m < methods.size(); ++m) {
    const auto& states = methods[m].roles.states;
    for (size_t s = 0; s < states.size(); ++s) {
      const StateSlot& slot = states[s];
      const Identity id = slot.key.empty()
                              ? Identity{{}, slot.place.bank, slot.place.lo, slot.place.hi}
                              : Identity{slot.key, 0, 0, 0};
      const auto [it, fresh] = known.try_emplace(id, static_cast<int32_t>(table.keys.size()));
      if (fresh) table.keys.push_back({slot.key, {}, false, false});
      StateKey& key = table.keys[static_cast<size_t>(it->second)];
      key.instances.push_back(
          InstanceOf(methods[m], static_cast<int32_t>(m), static_cast<int32_t>(s)));
      key.read_somewhere = key.read_somewhere || key.instances.back().reads;
      key.written_somewhere = key.written_somewhere || key.instances.back().writes;
      table.key_of[m].push_back(it->second);
    }
  }
  return table;
}

}  // namespace pteproof::checks
