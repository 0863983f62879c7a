// A method's values under other numbers.
#ifndef PTEPROOF_PLANNER_LIFT_RENUMBER_H_
#define PTEPROOF_PLANNER_LIFT_RENUMBER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::planner {

// `at`: per value, its new number; all of them are there once. Pools only grow. O(values and
// arguments).
void Renumber(std::span<const int32_t> at, Method& method);

// Per number that Renumber gives, the old one.
[[nodiscard]] std::vector<int32_t> Inverse(std::span<const int32_t> at);

// The same of some of `count` numbers: -1 for those that `at` lacks.
[[nodiscard]] std::vector<int32_t> Inverse(std::span<const int32_t> at, size_t count);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_RENUMBER_H_
