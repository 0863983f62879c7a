// From two traces that differ to the first instruction of the new program that computes otherwise.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_WALK_BACK_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_WALK_BACK_H_

#include <optional>
#include <string>
#include <vector>

#include "properties/compare/run/trace.h"

namespace pteproof::compare {

// One side of a difference.
struct DifferenceSide {
  int32_t instruction = -1;  // -1: none
  int32_t value = -1;        // -1: none
  std::string term;          // "the result of instruction 4 (aten::add.out), byte 8"
};

struct Difference {
  std::string where;  // "output 1, byte 8": what the caller sees
  DifferenceSide old_side;
  DifferenceSide new_side;
  bool unnamed = false;  // the old side reads bytes of a bank that nothing names
};

// Why two calls that have ended do not leave the same; nothing: they do. O(outputs and state); of a
// difference O(terms) besides.
[[nodiscard]] std::optional<Difference> DifferenceOf(TermTable& table, const Trace& old_call,
                                                     const Trace& new_call);

// Bytes of banks at entry, without a name, that anything the call leaves behind depends on.
struct StaleBytes {
  uint32_t bank = 0;
  uint64_t first = 0;
  uint64_t end = 0;
  auto operator<=>(const StaleBytes&) const = default;
};
[[nodiscard]] std::vector<StaleBytes> StaleBytesOf(const TermTable& table, const Trace& trace);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_WALK_BACK_H_
