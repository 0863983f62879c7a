#include "planner/placement/algorithms.h"

#include "planner/placement/best.h"
#include "planner/placement/fit.h"
#include "planner/placement/greedy.h"
#include "planner/placement/load.h"
#include "planner/placement/naive.h"
#include "planner/placement/sweep.h"

namespace pteproof::placement {

std::string_view NameOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kNaive:
      return "naive";
    case Algorithm::kGreedy:
      return "greedy";
    case Algorithm::kFirstFit:
      return "first-fit";
    case Algorithm::kBestFit:
      return "best-fit";
    case Algorithm::kByConflicts:
      return "by-conflicts";
    case Algorithm::kBest:
      return "best";
    case Algorithm::kExact:
      return "exact";
  }
  return {};
}

std::optional<Algorithm> AlgorithmNamed(std::string_view name) {
  for (const Algorithm algorithm : kAlgorithms) {
    if (NameOf(algorithm) == name) return algorithm;
  }
  return std::nullopt;
}

Effort DefaultEffort(Algorithm algorithm) {
  constexpr int64_t kShort = 100'000'000;  // about 0.4 s
  constexpr int64_t kLong = 500'000'000;   // about 2 s
  return {.steps = algorithm == Algorithm::kExact ? kLong : kShort};
}

Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm) {
  return Place(items, algorithm, DefaultEffort(algorithm));
}

Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm, const Effort& effort) {
  // These two are defined by what ExecuTorch does, the others by how low their layouts are.
  const bool is_defined = algorithm == Algorithm::kNaive || algorithm == Algorithm::kGreedy;
  if (!is_defined && IsCrowded(items)) return {Sweep(items), LoadOf(items)};
  switch (algorithm) {
    case Algorithm::kNaive:
      return {Naive(items), LoadOf(items)};
    case Algorithm::kGreedy:
      return {Greedy(items), LoadOf(items)};
    case Algorithm::kFirstFit:
      return {FirstFit(items), LoadOf(items)};
    case Algorithm::kBestFit:
      return {BestFit(items), LoadOf(items)};
    case Algorithm::kByConflicts:
      return {ByConflicts(items), LoadOf(items)};
    case Algorithm::kBest:
    case Algorithm::kExact:
      return Best(items, effort);
  }
  return {};
}

}  // namespace pteproof::placement
