// The effects of a Module's method on state and on its inputs, from its graph.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_GRAPH_EFFECTS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_GRAPH_EFFECTS_H_

#include <vector>

#include "reference/graph/module.h"

namespace pteproof {

struct GraphEffects {
  std::vector<bool> reads;    // by buffer: what it holds at entry may show in a result
  std::vector<bool> mutates;  // by buffer: may hold something else at exit
  // By result: the oldest value that holds the same elements, as far as data movement tells.
  std::vector<graph::ValueId> origins;
};

// The method must be well-formed and without mutating operators (graph::Functionalize). Buffers
// that a delegate owns count for nothing. O(nodes + operands), times the depth of loops.
[[nodiscard]] GraphEffects EffectsOf(const graph::Module& module, const graph::Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_GRAPH_EFFECTS_H_
