// Programs of equal meaning: other numbers for the values, other orders of methods and operators,
// other literals. Nothing about what a check should make of them.
#ifndef PTEPROOF_TESTS_SUPPORT_RENUMBER_H_
#define PTEPROOF_TESTS_SUPPORT_RENUMBER_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// The method with value v called new_index[v] everywhere. new_index is a permutation.
[[nodiscard]] Method WithValuesRenamed(const Method& method, const std::vector<int32_t>& new_index);

// The program with all values of every method renumbered at random.
[[nodiscard]] Program Renumbered(const Program& program, uint32_t seed);

// The program with its methods in a random order.
[[nodiscard]] Program WithMethodsShuffled(const Program& program, uint32_t seed);

// The program with every method's operator table in a random order.
[[nodiscard]] Program WithOperatorsShuffled(const Program& program, uint32_t seed);

// The program with other numbers in all Int values but those that tell an order of dimensions.
[[nodiscard]] Program WithOtherLiterals(const Program& program, uint32_t seed);

// The program with method `index` once more, under a name that comes last.
[[nodiscard]] Program WithMethodTwice(const Program& program, size_t index);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_RENUMBER_H_
