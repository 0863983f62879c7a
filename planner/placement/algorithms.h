// The placement algorithms by name. Each is a pure function: equal items, equal layout, whatever
// the compiler. Each is a header of its own for integer types other than int64_t.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_
#define PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "planner/placement/budget.h"
#include "planner/placement/item.h"

namespace pteproof::placement {

enum class Algorithm : uint8_t {
  kNaive,        // one after the other, nothing shared (naive.h)
  kGreedy,       // ExecuTorch 1.5.1's rule (greedy.h)
  kFirstFit,     // largest first, each at the lowest offset that is free (fit.h)
  kBestFit,      // largest first, each in the smallest gap that holds it (fit.h)
  kByConflicts,  // first what meets most others, each at the lowest free offset (fit.h)
  kBest,         // the smallest of all these and of a search for smaller ones (best.h)
  kExact,        // the same, with a search that goes on for longer
};
inline constexpr std::array kAlgorithms = {
    Algorithm::kNaive,       Algorithm::kGreedy, Algorithm::kFirstFit, Algorithm::kBestFit,
    Algorithm::kByConflicts, Algorithm::kBest,   Algorithm::kExact};

// "naive", "greedy", "first-fit", "best-fit", "by-conflicts", "best", "exact".
[[nodiscard]] std::string_view NameOf(Algorithm algorithm);
[[nodiscard]] std::optional<Algorithm> AlgorithmNamed(std::string_view name);

// A layout and how good it is.
struct Outcome {
  Layout<int64_t> layout;
  int64_t lower_bound = 0;  // bytes below which no layout of these items can end

  [[nodiscard]] bool optimal() const { return layout.peak == lower_bound; }
};

// The search effort of an algorithm that searches, if the caller names none.
[[nodiscard]] Effort DefaultEffort(Algorithm algorithm);

// Places items, of which Placeable() (load.h) must hold. `effort` is for kBest and kExact. Naive
// and greedy depend on the items' order, as they do in ExecuTorch; of the others only the names
// change when items change places.
[[nodiscard]] Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm);
[[nodiscard]] Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm,
                            const Effort& effort);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_
