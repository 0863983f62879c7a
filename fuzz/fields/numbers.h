// The numbers that a scalar is set to, by its type alone.
#ifndef PTEPROOF_FUZZ_FIELDS_NUMBERS_H_
#define PTEPROOF_FUZZ_FIELDS_NUMBERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/fields/tree.h"

namespace pteproof::fuzz::fields {

// Neighbours, zero, one, minus one, the extremes and powers of two; of floats the special ones; of
// an enum all that it has and one more. With `more`: sorted, each once, as wide as declared, and
// without the present one.
[[nodiscard]] std::vector<uint64_t> NumbersToTry(const Declared& declared, uint64_t now,
                                                 std::vector<uint64_t> more);

// As a person reads it: "-1", "2.5".
[[nodiscard]] std::string TextOfNumber(const Declared& declared, uint64_t number);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_NUMBERS_H_
