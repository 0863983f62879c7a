// The items of a proof about placement, and the numbers that a model gives them.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_CASE_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_CASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/placement/item.h"
#include "properties/proofs/planner/overlap_classes.h"
#include "properties/proofs/planner/path_explorer.h"
#include "properties/proofs/planner/symbolic_int.h"

namespace pteproof::proofs {

enum class AlignmentKind : uint8_t {
  kOneForAll,   // any, the same for all storages
  kEachItsOwn,  // any, any for each
  kNumbers,     // these, for each
};

struct PlacementCase {
  size_t storages = 3;
  AlignmentKind kind = AlignmentKind::kOneForAll;
  std::vector<int64_t> alignments = {};  // kNumbers: per storage
  bool fixed = false;                    // the first one has a fixed offset, any from 0
  bool tied = false;        // the last one lies in the first one, any bytes from its start
  bool in_place = false;    // likewise as a result in its operand's bytes: all of them
  bool ascending = false;   // only sizes that do not fall from one storage to the next
  bool all_orders = false;  // the layout of every order of the items is looked at, too
};

using SymbolicItems = std::vector<placement::Item<SymbolicInt>>;
using NumberItems = std::vector<placement::Item<int64_t>>;

// Of any sizes from 0, as the case says. To be called at the start of a path.
[[nodiscard]] SymbolicItems SymbolicItemsOf(const PlacementCase& of, const Lives& lives,
                                            PathExplorer& path);

// Their values in a model.
[[nodiscard]] NumberItems NumberItemsOf(const SymbolicItems& items,
                                        const std::vector<int64_t>& values);

// items[order[0]], items[order[1]], ... with their ties.
template <class Int>
[[nodiscard]] std::vector<placement::Item<Int>> ReorderedItems(
    const std::vector<placement::Item<Int>>& items, const std::vector<size_t>& order) {
  std::vector<placement::Item<Int>> result;
  std::vector<int32_t> at(items.size());
  for (size_t k = 0; k < order.size(); ++k) {
    at[order[k]] = static_cast<int32_t>(k);
    result.push_back(items[order[k]]);
  }
  for (placement::Item<Int>& item : result) {
    if (item.tie) item.tie->base = at[static_cast<size_t>(item.tie->base)];
  }
  return result;
}

// Per item the item of the reordered list that must lie where it lies: itself, but among items that
// are equal in everything the one of the same rank, as only names may change.
template <class Int>
[[nodiscard]] std::vector<size_t> CounterpartsOf(const std::vector<placement::Item<Int>>& items,
                                                 const std::vector<size_t>& order) {
  const auto equal = [&](size_t a, size_t b) {
    const auto& x = items[a];
    const auto& y = items[b];
    const bool plain = !x.tie && !y.tie && !x.fixed && !y.fixed;
    return plain && x.live == y.live && x.alignment == y.alignment && x.size == y.size;
  };
  std::vector<size_t> counterparts(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    size_t rank = 0;
    for (size_t j = 0; j < i; ++j) rank += equal(i, j) ? 1U : 0U;
    for (size_t k = 0; k < order.size(); ++k) {
      if (order[k] != i && !equal(i, order[k])) continue;
      if (rank-- == 0) {
        counterparts[i] = k;
        break;
      }
    }
  }
  return counterparts;
}

// The mistake in a layout of numbers, found by looking at every pair: a second opinion on a model
// that refutes a goal. `bounded`: the peak is at most the sum of sizes rounded up to the largest
// alignment.
[[nodiscard]] std::optional<std::string> MistakeIn(const NumberItems& items,
                                                   const placement::Layout<int64_t>& layout,
                                                   bool bounded);

// "storage 0: 3 bytes, alignment 1, live [0,2); storage 1: ..."
[[nodiscard]] std::string TextOf(const NumberItems& items);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_CASE_H_
