// Inferences from the exporter's numbering: it follows the order of the graph, so even a value that
// no instruction makes has a place in time. If a method is numbered otherwise, nothing is inferred
// from numbers.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_NUMBERING_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_NUMBERING_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

struct Numbering {
  bool unbroken = false;         // no value is out of order
  bool ordered = false;          // and enough are in order
  std::vector<int32_t> highest;  // per instruction: the highest value index used up to and with it

  // The first instruction that uses a later value; the instruction count when none does.
  [[nodiscard]] int32_t MadeBefore(int32_t v) const {
    return static_cast<int32_t>(std::ranges::upper_bound(highest, v) - highest.begin());
  }
};

// Values in the exporter's order: inputs ascend and come first, then what each instruction makes
// and the numbers that it is given. -1: they are not in order. O(arguments).
[[nodiscard]] int InOrder(const Method& method, const Listing& listing);

// The chance that so many values are in order by accident.
[[nodiscard]] double ChanceOfOrder(int values);

// Ordered: at least kEnoughInOrder values are, or all methods of the program are, which happens by
// accident with that `chance`. O(arguments).
[[nodiscard]] Numbering NumberingOf(const Method& method, const Listing& listing, double chance);

// Fewer may be in order by accident.
inline constexpr int kEnoughInOrder = 4;
inline constexpr double kSmallChance = 0.01;

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_NUMBERING_H_
