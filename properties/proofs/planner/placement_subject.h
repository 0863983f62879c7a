// A placement algorithm as the subject of a proof: the same template over two integer types, its
// notion of overlapping lives, and its promises.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_SUBJECT_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_SUBJECT_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "planner/placement/item.h"
#include "properties/proofs/planner/overlap_classes.h"
#include "properties/proofs/planner/symbolic_int.h"

namespace pteproof::proofs {

template <class Int>
using PlacementOf = std::function<placement::Layout<Int>(std::span<const placement::Item<Int>>)>;

struct PlacementSubject {
  std::string name;
  OverlapOfCode overlap;
  bool labelled = false;        // its layouts depend on the items' order
  bool all_to_largest = false;  // it rounds all sizes up to the largest alignment
  bool any_order = false;       // it promises that only names change when items change places
  PlacementOf<SymbolicInt> symbolic;
  PlacementOf<int64_t> concrete;
};

// `placement` is callable with items of either type.
template <class Placement>
[[nodiscard]] PlacementSubject SubjectOf(std::string name, OverlapOfCode overlap,
                                         Placement placement) {
  return {.name = std::move(name),
          .overlap = std::move(overlap),
          .symbolic = placement,
          .concrete = placement};
}

// naive, greedy, first-fit, best-fit, by-conflicts: as planner/placement ships them.
[[nodiscard]] std::vector<PlacementSubject> ShippedAlgorithms();

// The rules that these and every other order are made of: items in the order given, each in the
// lowest or the smallest gap. So they stand for any order that an algorithm may choose.
[[nodiscard]] std::vector<PlacementSubject> ShippedGapRules();

// The lowest of the portfolio's layouts.
[[nodiscard]] PlacementSubject ShippedPortfolio();

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_SUBJECT_H_
