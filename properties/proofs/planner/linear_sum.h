// Sums of variables with whole coefficients, in one normal form, so that equal sums compare equal.
// Independent of the meaning of the variables.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_LINEAR_SUM_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_LINEAR_SUM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pteproof::proofs {

struct LinearTerm {
  int32_t variable = 0;
  int64_t factor = 1;  // not 0

  auto operator<=>(const LinearTerm&) const = default;
};

struct LinearSum {
  int64_t constant = 0;
  std::vector<LinearTerm> terms = {};  // ascending by variable, each once

  auto operator<=>(const LinearSum&) const = default;
  [[nodiscard]] bool IsConstant() const { return terms.empty(); }
};

// Constants and factors stay small: they count items and add alignments.
[[nodiscard]] LinearSum VariableSum(int32_t variable);
[[nodiscard]] LinearSum Plus(const LinearSum& a, const LinearSum& b);
[[nodiscard]] LinearSum Minus(const LinearSum& a, const LinearSum& b);
[[nodiscard]] LinearSum Plus(const LinearSum& a, int64_t constant);
[[nodiscard]] LinearSum Times(const LinearSum& a, int64_t factor);

// The value where variable v is values[v], which must all be there; throws std::overflow_error
// where it does not fit.
[[nodiscard]] int64_t ValueOf(const LinearSum& sum, const std::vector<int64_t>& values);

struct LinearSumHash {
  [[nodiscard]] size_t operator()(const LinearSum& sum) const;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_LINEAR_SUM_H_
