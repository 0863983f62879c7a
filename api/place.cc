#include "pteproof/place.h"

#include <limits>
#include <utility>

#include "base/within_memory.h"
#include "planner/placement/algorithms.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof {
namespace {

using placement::Storage;

// Some faults show in one storage alone, others only in how storages are tied, or in their sum.
PlaceError NotPlaceable(std::span<const Storage> storages) {
  for (size_t i = 0; i < storages.size(); ++i) {
    Storage alone = storages[i];
    alone.tie.reset();
    if (placement::Placeable({&alone, 1})) continue;
    return {static_cast<int32_t>(i), -1,
            "a storage needs a size of at least 0, an alignment that is a power of two, ascending "
            "disjoint lifetimes, and a fixed offset, if any, of at least 0: correct it"};
  }
  return {
      -1, -1,
      "ties must lead to a storage without a tie and keep the alignments, and all sizes together "
      "must fit 63 bits: correct them"};
}

PlaceError Impossible(std::span<const Storage> storages, const placement::Mistake& mistake) {
  const auto is_fixed = [&](int32_t i) {
    return i >= 0 && storages[static_cast<size_t>(i)].fixed.has_value();
  };
  const bool at_odds = is_fixed(mistake.first) && is_fixed(mistake.second);
  return {
      mistake.first, mistake.second,
      placement::TextOf(mistake) + (at_odds ? ": fix at most one of the two"
                                            : ": this is an error of pteproof, please report it")};
}

Result<PlacedStorages, PlaceError> PlaceAll(std::span<const Storage> storages,
                                            const PlaceOptions& options) {
  if (!placement::Placeable(storages)) return NotPlaceable(storages);
  placement::Effort effort = placement::DefaultEffort(options.algorithm);
  if (options.seconds) effort = {std::numeric_limits<int64_t>::max(), options.seconds};
  placement::Outcome outcome = placement::Place(storages, options.algorithm, effort);
  if (const auto mistake = placement::MistakeIn(storages, outcome.layout)) {
    return Impossible(storages, *mistake);
  }
  return PlacedStorages{std::move(outcome.layout.offsets), outcome.layout.peak,
                        placement::LoadOf(storages), outcome.lower_bound};
}

}  // namespace

Result<PlacedStorages, PlaceError> PlaceStorages(std::span<const Storage> storages,
                                                 const PlaceOptions& options) {
  return WithinMemory(
      [&] { return PlaceAll(storages, options); },
      []() -> Result<PlacedStorages, PlaceError> { return PlaceError{-1, -1, "out of memory"}; });
}

}  // namespace pteproof
