// What one method of a file means: control flow, effects of its calls, roles of its values, and
// which of them are names of others' bytes. Recovered once; every judge stands on it.
#ifndef PTEPROOF_MEANING_METHOD_MEANING_H_
#define PTEPROOF_MEANING_METHOD_MEANING_H_

#include <cstdint>
#include <vector>

#include "meaning/aliases.h"
#include "meaning/effects.h"
#include "meaning/exporter_order.h"
#include "meaning/flow_graph.h"
#include "meaning/handles.h"
#include "meaning/liveness.h"
#include "meaning/method_flow.h"
#include "meaning/questions.h"
#include "meaning/roles.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// How a method uses a state, beside its own values (Usage).
struct StateUse {
  bool written = false;  // some instruction that can run stores to it
  // Some instruction reads what another one stores to it, or an output returns it.
  bool read_inside = false;
  int32_t reader = -1;     // who uses its value at entry first (as in LiveName); -1: nobody
  int32_t self_copy = -1;  // the last instruction that stores it onto itself; -1: none
};

struct MethodMeaning {
  const Method* method = nullptr;
  const ManifestMethod* stated = nullptr;  // null: the manifest says nothing of it
  Effects effects;
  FlowGraph graph;
  ExporterOrder order;
  Roles roles;
  Aliases aliases;
  Liveness live;
  std::vector<MovedPlace> moved;
  std::vector<StateUse> state_uses;  // per state
  std::vector<LiveName> unmade;      // used though on some path nothing has made them

  [[nodiscard]] MethodFlow flow() const { return {*method, effects, graph, roles, aliases}; }
};

// O(n log n) for straight-line code. The method and the manifest, which may be null, must outlive
// it. `reading` (may be null): the doubts that are read the other way. `numberings`: of the
// program.
[[nodiscard]] MethodMeaning MeaningOf(const Method& method, const Manifest* manifest,
                                      const Reading* reading = nullptr, double numberings = 0);

// What the file leaves open of a method, as far as an exporter gives cause for it.
[[nodiscard]] std::vector<Doubt> DoubtsOf(const MethodMeaning& meaning);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_METHOD_MEANING_H_
