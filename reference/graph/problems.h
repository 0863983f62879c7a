// Where in a Module a problem is, so that the text form can say line and column.
#ifndef PTEPROOF_REFERENCE_GRAPH_PROBLEMS_H_
#define PTEPROOF_REFERENCE_GRAPH_PROBLEMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reference/graph/validate.h"

namespace pteproof::graph {

enum class PlaceKind : uint8_t {
  kBuffer,
  kMethod,
  kDim,
  kValue,  // where it is defined
  kInput,
  kEntry,
  kNode,  // numbered as they stand in the text: a node before those of its regions
  kOutputs,
  kStore,
  kInputStore,
};

struct Place {
  PlaceKind kind = PlaceKind::kMethod;
  int32_t method = -1;  // -1: of the Module
  int32_t index = 0;    // of the buffer, dim, value, input, entry, node or store
};

struct PlacedProblem {
  Place place;
  Problem problem;
};

// Names of values in explanations, by method and ValueId.
using NamesByMethod = std::vector<std::vector<std::string>>;

// As Validate, with places. `names` has a list for each method.
[[nodiscard]] std::vector<PlacedProblem> FindProblems(const Module& module,
                                                      const NamesByMethod& names);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_PROBLEMS_H_
