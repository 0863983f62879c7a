// What one method means, for the parts that look at it: its effects, paths, roles and names.
#ifndef PTEPROOF_MEANING_METHOD_FLOW_H_
#define PTEPROOF_MEANING_METHOD_FLOW_H_

#include <cstddef>
#include <cstdint>

#include "meaning/aliases.h"
#include "meaning/effects.h"
#include "meaning/flow_graph.h"
#include "meaning/place.h"
#include "meaning/roles.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// A name is a value, or the value count plus the number of a state: what that holds at the end.
struct MethodFlow {
  const Method& method;
  const Effects& effects;
  const FlowGraph& graph;
  const Roles& roles;
  const Aliases& aliases;

  [[nodiscard]] int32_t value_count() const { return static_cast<int32_t>(method.values.size()); }
  [[nodiscard]] int32_t instruction_count() const {
    return static_cast<int32_t>(method.instructions.size());
  }
  // The state whose value at the end of the call a name stands for, or -1.
  [[nodiscard]] int32_t EndOfState(int32_t name) const {
    return name >= value_count() ? name - value_count() : -1;
  }
  // The value that a name stands for: itself, or the buffer whose end it is.
  [[nodiscard]] int32_t ValueOf(int32_t name) const {
    const int32_t state = EndOfState(name);
    return state >= 0 ? roles.states[static_cast<size_t>(state)].value : name;
  }
  // Whether a name holds something when a call begins.
  [[nodiscard]] bool IsThereAtEntry(int32_t name) const {
    if (EndOfState(name) >= 0) return true;
    const Role role = roles.of[static_cast<size_t>(name)];
    return role != Role::kLocal && role != Role::kCaller;
  }
  // Where a name lies by its own placement.
  [[nodiscard]] const Place& PlaceOf(int32_t name) const {
    const int32_t state = EndOfState(name);
    return state >= 0 ? roles.states[static_cast<size_t>(state)].place
                      : roles.place[static_cast<size_t>(name)];
  }
  // The state that a write stores to, or -1: the buffer's own value or a view of it. A new value
  // that an operator returns at the same place is not a store.
  [[nodiscard]] int32_t StoredState(const Write& write) const {
    const int32_t own = roles.state_of[static_cast<size_t>(write.value)];
    return own >= 0 || write.is_out ? own : StateOf(write.value);
  }
  // Whether it stands for a buffer as an output of the source: its own value, or a second one that
  // has its name.
  [[nodiscard]] bool NamesABuffer(int32_t value) const {
    return roles.of[static_cast<size_t>(value)] == Role::kState ||
           (StateOf(value) >= 0 && !method.NameOf(value).empty());
  }
  // The state whose bytes a value names, or -1.
  [[nodiscard]] int32_t StateOf(int32_t value) const {
    return roles.state_of[static_cast<size_t>(aliases.root[static_cast<size_t>(value)])];
  }
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_METHOD_FLOW_H_
