#include "properties/proofs/solver/concrete.h"

#include <algorithm>
#include <vector>

#include "base/checked_math.h"

namespace pteproof::proofs {
namespace {

// An Algebra of SizeExpr::In; nothing: the value could not be computed.
struct WideAlgebra {
  using Value = std::optional<Wide>;
  std::span<const Wide> values;

  static Value Number(int64_t number) { return Wide{number}; }

  [[nodiscard]] Value Symbol(int32_t id) const {
    const auto at = static_cast<size_t>(id);
    return id >= 0 && at < values.size() ? Value(values[at]) : std::nullopt;
  }

  static Value Add(const Value& a, const Value& b) {
    return a && b ? CheckedAdd(*a, *b) : std::nullopt;
  }

  static Value Multiply(const Value& a, const Value& b) {
    return a && b ? CheckedMul(*a, *b) : std::nullopt;
  }

  static Value FloorDivide(const Value& a, const Value& b) {
    if (!a || !b) return std::nullopt;
    if (*b == 0) return Wide{0};
    if (*b == -1) return CheckedSub(Wide{0}, *a);
    const bool down = *a % *b != 0 && (*a < 0) != (*b < 0);
    return *a / *b - (down ? 1 : 0);
  }

  static Value Modulo(const Value& a, const Value& b) {
    if (!a || !b) return std::nullopt;
    if (*b == 0 || *b == -1) return Wide{0};
    const Wide rest = *a % *b;
    return rest != 0 && (rest < 0) != (*b < 0) ? rest + *b : rest;
  }

  static Value Minimum(const Value& a, const Value& b) {
    return a && b ? Value(std::min(*a, *b)) : std::nullopt;
  }

  static Value Maximum(const Value& a, const Value& b) {
    return a && b ? Value(std::max(*a, *b)) : std::nullopt;
  }
};

std::optional<bool> ComparisonHolds(const Comparison& of, std::span<const Wide> values) {
  const std::optional<Wide> left = ValueOf(of.left, values);
  const std::optional<Wide> right = ValueOf(of.right, values);
  if (!left || !right) return std::nullopt;
  switch (of.relation) {
    case Relation::kLess:
      return *left < *right;
    case Relation::kLessEqual:
      return *left <= *right;
    default:
      return *left == *right;
  }
}

}  // namespace

std::optional<Wide> ValueOf(const SizeExpr& expr, std::span<const Wide> values) {
  WideAlgebra algebra{values};
  return expr.In(algebra);
}

std::optional<bool> Holds(const Clause& clause, std::span<const Wide> values) {
  bool known = true;
  for (const Comparison& comparison : clause) {
    const std::optional<bool> holds = ComparisonHolds(comparison, values);
    if (holds == true) return true;
    known = known && holds.has_value();
  }
  return known ? std::optional(false) : std::nullopt;
}

std::optional<bool> Holds(const Clause& clause, std::span<const int64_t> values) {
  const std::vector<Wide> wide(values.begin(), values.end());
  return Holds(clause, wide);
}

}  // namespace pteproof::proofs
