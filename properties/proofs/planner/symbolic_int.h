// An integer that stands for all integers: a sum of variables of a path explorer, which every
// comparison asks for the way to go. The type that the planner's templates are instantiated with.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_SYMBOLIC_INT_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_SYMBOLIC_INT_H_

#include <cstdint>
#include <utility>

#include "properties/proofs/planner/linear_sum.h"

namespace pteproof::proofs {

class PathExplorer;

struct SymbolicInt {
  SymbolicInt() = default;
  SymbolicInt(int64_t value) : sum{value} {}  // implicit: the templates say `Int end = 0`
  SymbolicInt(PathExplorer* of, LinearSum it) : path(of), sum(std::move(it)) {}

  PathExplorer* path = nullptr;  // not its own; none for constants
  LinearSum sum;
};

// Comparisons throw PathEnd (path_explorer.h) where the explorer cannot go on; it catches that
// itself.
[[nodiscard]] SymbolicInt operator+(const SymbolicInt& a, const SymbolicInt& b);
[[nodiscard]] SymbolicInt operator-(const SymbolicInt& a, const SymbolicInt& b);
[[nodiscard]] bool operator<(const SymbolicInt& a, const SymbolicInt& b);
[[nodiscard]] bool operator<=(const SymbolicInt& a, const SymbolicInt& b);
[[nodiscard]] bool operator==(const SymbolicInt& a, const SymbolicInt& b);

// The function that placement/arithmetic.h needs of an integer type: see PathExplorer::RoundUp.
[[nodiscard]] SymbolicInt AlignUp(const SymbolicInt& value, const SymbolicInt& alignment);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_SYMBOLIC_INT_H_
