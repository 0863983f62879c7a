#include "properties/proofs/planner/symbolic_int.h"

#include "planner/placement/arithmetic.h"
#include "properties/proofs/planner/path_explorer.h"

namespace pteproof::proofs {
namespace {

PathExplorer* PathOf(const SymbolicInt& a, const SymbolicInt& b) {
  return a.path != nullptr ? a.path : b.path;
}

bool IsSo(const SymbolicInt& a, const SymbolicInt& b, LinearSum difference, SumSign sign) {
  PathExplorer* const path = PathOf(a, b);
  if (path != nullptr) return path->Decide({std::move(difference), sign});
  return Holds({std::move(difference), sign}, {});
}

}  // namespace

SymbolicInt operator+(const SymbolicInt& a, const SymbolicInt& b) {
  return {PathOf(a, b), Plus(a.sum, b.sum)};
}

SymbolicInt operator-(const SymbolicInt& a, const SymbolicInt& b) {
  return {PathOf(a, b), Minus(a.sum, b.sum)};
}

bool operator<(const SymbolicInt& a, const SymbolicInt& b) {
  return IsSo(a, b, Plus(Minus(a.sum, b.sum), 1), SumSign::kAtMostZero);
}

bool operator<=(const SymbolicInt& a, const SymbolicInt& b) {
  return IsSo(a, b, Minus(a.sum, b.sum), SumSign::kAtMostZero);
}

bool operator==(const SymbolicInt& a, const SymbolicInt& b) {
  return IsSo(a, b, Minus(a.sum, b.sum), SumSign::kZero);
}

SymbolicInt AlignUp(const SymbolicInt& value, const SymbolicInt& alignment) {
  PathExplorer* const path = PathOf(value, alignment);
  if (path == nullptr) return placement::AlignUp(value.sum.constant, alignment.sum.constant);
  return {path, path->RoundUp(value.sum, alignment.sum)};
}

}  // namespace pteproof::proofs
