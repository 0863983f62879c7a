// The arithmetic that placement may do on an integer type: +, -, <, <=, == and what is here. A
// proof brings its own AlignUp for its own type; it is found by the type's namespace.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ARITHMETIC_H_
#define PTEPROOF_PLANNER_PLACEMENT_ARITHMETIC_H_

#include <cstdint>

namespace pteproof::placement {

// The formula of AlignUp on any two's complement words.
template <class Word>
[[nodiscard]] constexpr Word AlignUpWord(const Word& value, const Word& alignment) {
  return (value + (alignment - 1)) & -alignment;
}

// The smallest multiple of `alignment`, a power of two, that is not below `value`, which is at
// least 0. The result must fit.
[[nodiscard]] constexpr int64_t AlignUp(int64_t value, int64_t alignment) {
  return AlignUpWord(value, alignment);
}

template <class Int>
[[nodiscard]] Int Larger(const Int& a, const Int& b) {
  if (a < b) return b;
  return a;
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ARITHMETIC_H_
