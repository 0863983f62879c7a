// Placement: storages with lifetimes to offsets in one bank. Sizes, alignments and offsets are
// bytes; time points are any ascending numbers.
//
// Example:
//
//   const std::vector<pteproof::placement::Storage> storages = {
//       {.size = 64, .alignment = 16, .live = {{0, 2}}},
//       {.size = 32, .alignment = 16, .live = {{1, 3}}},
//       {.size = 64, .alignment = 16, .live = {{2, 3}}},  // may take the bytes of the first
//   };
//   const auto placed = pteproof::PlaceStorages(storages);
//   return placed.ok() && placed.value().peak == 96 && placed.value().optimal() ? 0 : 1;
#ifndef PTEPROOF_PLACE_H_
#define PTEPROOF_PLACE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"

namespace pteproof::placement {

// Time points from `lower` up to, and without, `upper`.
struct Span {
  int64_t lower = 0;
  int64_t upper = 0;

  auto operator<=>(const Span&) const = default;
};

// One storage that needs bytes. `Int` is int64_t, or a symbolic integer when a proof runs the code.
template <class Int>
struct Item {
  Int size = 0;                   // bytes; 0: it takes no room
  Int alignment = 1;              // of its offset; a power of two
  std::vector<Span> live;         // ascending, disjoint, none empty; none at all: it takes no room
  std::optional<Int> fixed = {};  // the offset that it must have

  // It lies in the bytes of another item, `inside` bytes (at least 0) from that one's start: both
  // are meant to share them. The other may be tied in turn; no cycles. All items tied together are
  // placed as one; from the start of the one that is not tied each lies a multiple of its own
  // alignment.
  struct Tie {
    int32_t base = 0;  // index of the other item
    Int inside = 0;
  };
  std::optional<Tie> tie = {};
};

using Storage = Item<int64_t>;

enum class Algorithm : uint8_t {
  kNaive,        // one after the other, nothing shared
  kGreedy,       // ExecuTorch 1.5.1's rule
  kFirstFit,     // largest first, each at the lowest offset that is free
  kBestFit,      // largest first, each in the smallest gap that holds it
  kByConflicts,  // first the storage that meets most others, each at the lowest free offset
  kBest,         // the smallest of all these and of a search for smaller ones
  kExact,        // the same, with a search that goes on for longer
};
inline constexpr std::array kAlgorithms = {
    Algorithm::kNaive,       Algorithm::kGreedy, Algorithm::kFirstFit, Algorithm::kBestFit,
    Algorithm::kByConflicts, Algorithm::kBest,   Algorithm::kExact};

// "naive", "greedy", "first-fit", "best-fit", "by-conflicts", "best", "exact".
[[nodiscard]] std::string_view NameOf(Algorithm algorithm);
[[nodiscard]] std::optional<Algorithm> AlgorithmNamed(std::string_view name);

}  // namespace pteproof::placement

namespace pteproof {

struct PlaceOptions {
  placement::Algorithm algorithm = placement::Algorithm::kBest;
  // Of kBest and kExact: how long they may search, by the wall clock. Nothing: a number of steps,
  // so that equal storages get equal offsets on every machine.
  std::optional<double> seconds = {};
};

struct PlacedStorages {
  std::vector<int64_t> offsets;  // by storage; 0 of one that takes no room
  int64_t peak = 0;              // the end of the last one
  int64_t peak_live = 0;         // the most bytes that are live at one time point
  int64_t lower_bound = 0;       // no placement of these storages has a smaller peak

  [[nodiscard]] bool optimal() const { return peak == lower_bound; }
};

// The reason for a refusal: a storage is not as Item says, or two that live at one time point are
// fixed in the same bytes.
struct PlaceError {
  int32_t first = -1;  // indices of storages; -1: none in particular
  int32_t second = -1;
  std::string what;  // the mistake, and the next step
};

// Offsets at which no two storages that share a time point share a byte, ties apart. They have
// passed a validator that shares no code with the algorithms.
[[nodiscard]] Result<PlacedStorages, PlaceError> PlaceStorages(
    std::span<const placement::Storage> storages, const PlaceOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_PLACE_H_
