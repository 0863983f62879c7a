// Live names, over all paths. Within a block the walk backwards (clobbers.h) finds them; this part
// finds the names that cross from block to block.
#ifndef PTEPROOF_PROPERTIES_CHECKS_FLOW_LIVENESS_H_
#define PTEPROOF_PROPERTIES_CHECKS_FLOW_LIVENESS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/checks/facts/aliases.h"
#include "properties/checks/facts/effects.h"
#include "properties/checks/facts/flow_graph.h"
#include "properties/checks/facts/roles.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// A name with the instruction that reads it next (on some path). Names are value indices; the name
// of state s at the method's end, which the next call reads, is the value count + s.
struct LiveName {
  int32_t name = 0;
  int32_t reader = 0;  // instruction; the instruction count: an output; one more: the next call
};

struct Liveness {
  std::vector<std::vector<LiveName>> out;  // per block: live at its end
  // Per block, ascending: live names that a block before it made. Empty for straight-line code.
  std::vector<std::vector<int32_t>> reached;
  bool complete = true;  // false: the control flow is beyond the limit on work

  [[nodiscard]] bool Reaches(int32_t name, size_t block) const {
    return block < reached.size() && std::ranges::binary_search(reached[block], name);
  }
};

// Everything known about one method's flow, for the parts that walk it.
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
  // The state whose bytes a value names, or -1.
  [[nodiscard]] int32_t StateOf(int32_t value) const {
    return roles.state_of[static_cast<size_t>(aliases.root[static_cast<size_t>(value)])];
  }
};

// O(accesses log accesses + pairs of block and name that is live there). `ends` are the names live
// at the method's end.
[[nodiscard]] Liveness LivenessOf(const MethodFlow& flow, std::vector<LiveName> ends);

// More pairs of block and live name than this are given up on: no exporter writes such a file.
inline constexpr size_t kMaxLivePairs = 20'000'000;

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_FLOW_LIVENESS_H_
