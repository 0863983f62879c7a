#include "properties/proofs/planner/linear_sum.h"

#include <stdexcept>

#include "base/checked_math.h"

namespace pteproof::proofs {
namespace {

LinearSum SumWith(const LinearSum& a, const LinearSum& b, int64_t factor) {
  LinearSum sum{a.constant + factor * b.constant};
  sum.terms.reserve(a.terms.size() + b.terms.size());
  auto x = a.terms.begin();
  auto y = b.terms.begin();
  while (x != a.terms.end() || y != b.terms.end()) {
    if (y == b.terms.end() || (x != a.terms.end() && x->variable < y->variable)) {
      sum.terms.push_back(*x++);
      continue;
    }
    LinearTerm term{y->variable, factor * y->factor};
    ++y;
    if (x != a.terms.end() && x->variable == term.variable) term.factor += (x++)->factor;
    if (term.factor != 0) sum.terms.push_back(term);
  }
  return sum;
}

}  // namespace

LinearSum VariableSum(int32_t variable) {
  return {0, {{variable, 1}}};
}

LinearSum Plus(const LinearSum& a, const LinearSum& b) {
  return SumWith(a, b, 1);
}

LinearSum Minus(const LinearSum& a, const LinearSum& b) {
  return SumWith(a, b, -1);
}

LinearSum Plus(const LinearSum& a, int64_t constant) {
  LinearSum sum = a;
  sum.constant += constant;
  return sum;
}

LinearSum Times(const LinearSum& a, int64_t factor) {
  return SumWith({}, a, factor);
}

int64_t ValueOf(const LinearSum& sum, const std::vector<int64_t>& values) {
  int64_t value = sum.constant;
  for (const LinearTerm& term : sum.terms) {
    const auto product = CheckedMul(term.factor, values.at(static_cast<size_t>(term.variable)));
    const auto next = product ? CheckedAdd(value, *product) : std::nullopt;
    if (!next) throw std::overflow_error("a value beyond 64 bits");
    value = *next;
  }
  return value;
}

size_t LinearSumHash::operator()(const LinearSum& sum) const {
  constexpr size_t kFactor = 0x9e3779b97f4a7c15;
  size_t hash = static_cast<size_t>(sum.constant);
  for (const LinearTerm& term : sum.terms) {
    hash = (hash ^ static_cast<size_t>(term.variable)) * kFactor;
    hash = (hash ^ static_cast<size_t>(term.factor)) * kFactor;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace pteproof::proofs
