// Lives of a few storages, one example for each way in which they can overlap. Says nothing of
// sizes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_OVERLAP_CLASSES_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_OVERLAP_CLASSES_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::proofs {

using Lives = std::vector<std::vector<placement::Span>>;  // per storage, as in placement's items

// Which storages share a time point, row by row; each shares one with itself.
using OverlapMatrix = std::vector<bool>;

// By looking at every point: the definition.
[[nodiscard]] OverlapMatrix TrueOverlap(const Lives& lives);
// As the shipped TimeIndex says it, and the same of lives without their gaps.
[[nodiscard]] OverlapMatrix IndexOverlap(const Lives& lives);
[[nodiscard]] OverlapMatrix HullOverlap(const Lives& lives);

using OverlapOfCode = std::function<OverlapMatrix(const Lives&)>;

// Examples of all pairs (the overlap that the code sees, the true overlap) of the lives of
// `storages` storages: one span each over as many points as storages, which gives all interval
// graphs; any set of points out of up to four; and every graph, by a point for each edge. Pairs
// that differ only in the order of the storages count once, unless `labelled`. A pair is left out
// if the same overlap of the code has a larger true overlap: it asks for less of the same places.
// Both sides of the pair count, because an overlap that the code gets wrong would disappear if
// lives were equal by one side alone.
[[nodiscard]] std::vector<Lives> OverlapClasses(size_t storages, const OverlapOfCode& code,
                                                bool labelled);

// All orders of 0 to count-1, the ascending one first.
[[nodiscard]] std::vector<std::vector<size_t>> AllOrders(size_t count);

// Sets of storages that overlap in pairs and of which none is part of another one.
[[nodiscard]] std::vector<std::vector<size_t>> MaximalCliques(size_t storages,
                                                              const OverlapMatrix& overlap);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_OVERLAP_CLASSES_H_
