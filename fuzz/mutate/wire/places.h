// Where the numbers of a flatbuffer are, and what each is to whoever reads it. Whatever the bytes
// are, every place lies in them.
#ifndef PTEPROOF_FUZZ_MUTATE_WIRE_PLACES_H_
#define PTEPROOF_FUZZ_MUTATE_WIRE_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::fuzz::wire {

enum class PlaceKind : uint8_t {
  kNumber,  // a scalar, or the scalars of a vector
  kTag,     // which of its tables a union holds
  kLength,  // the number of a vector's elements or a string's characters
  kOffset,  // leads to a table, a vector or a string
  kBack,    // a table's first number: how far back its slots are, signed
  kSlot,    // where a table's field is, 0 where it is absent
  kHeader,  // identifier and extended header
};
inline constexpr int kPlaceKinds = 7;

// `count` numbers of `width` bytes each, one after the other from byte `at` on.
struct Place {
  uint64_t at = 0;
  uint64_t count = 1;
  uint8_t width = 1;
  PlaceKind kind = PlaceKind::kNumber;
  // What the offsets lead to: equal where one may stand for the other. Null: unknown.
  const void* target = nullptr;
};

// Of a `.pte`, `.ptd` or `.bpte`, by its identifier; none for other bytes. What is wrong is left
// out with all that it leads to; a table that is shared is gone through once. O(size of the file).
[[nodiscard]] std::vector<Place> PlacesIn(Bytes file);

}  // namespace pteproof::fuzz::wire

#endif  // PTEPROOF_FUZZ_MUTATE_WIRE_PLACES_H_
