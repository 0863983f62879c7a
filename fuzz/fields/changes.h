// The list of all changes of one field of a tree. It is complete by construction: it goes through
// the fields of every table as the schema declares them, whether or not the file has them.
#ifndef PTEPROOF_FUZZ_FIELDS_CHANGES_H_
#define PTEPROOF_FUZZ_FIELDS_CHANGES_H_

#include <cstdint>
#include <vector>

#include "fuzz/fields/change.h"
#include "fuzz/fields/meaning.h"
#include "fuzz/fields/tree.h"

namespace pteproof::fuzz::fields {

// Of longer vectors of bytes, which are contents, and of longer vectors of numbers so many items at
// each end are changed, and no more.
inline constexpr size_t kEndsOfContents = 8;
inline constexpr size_t kLongestOfBytes = 64;
inline constexpr size_t kLongestOfNumbers = 512;

// Depends on its arguments alone, in this order. O(number of changes x size of the field).
[[nodiscard]] std::vector<Change> ChangesOf(const Tree& tree, const Surroundings& around,
                                            int32_t table, int32_t field);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_CHANGES_H_
