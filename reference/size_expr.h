// A size of a tensor: an integer polynomial over a method's symbolic dims, with floor division,
// remainder, minimum and maximum as atoms. A plain number costs no allocation, so that one set of
// shape rules serves symbolic graphs and concrete runs. Knows nothing of tensors.
#ifndef PTEPROOF_REFERENCE_SIZE_EXPR_H_
#define PTEPROOF_REFERENCE_SIZE_EXPR_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pteproof {

// All integers from lo to hi, both included.
struct SizeRange {
  int64_t lo = 0;
  int64_t hi = 0;
  bool operator==(const SizeRange&) const = default;
};

class SizeExpr {
 public:
  SizeExpr(int64_t number = 0) : constant_(number) {}  // NOLINT: a number is a size
  // Dim number `id` of the method.
  [[nodiscard]] static SizeExpr Symbol(int32_t id);

  // The number, when it is one whatever the dims are.
  [[nodiscard]] std::optional<int64_t> Constant() const;
  [[nodiscard]] bool Is(int64_t number) const { return terms_.empty() && constant_ == number; }

  // The value at given dims, by symbol id. Saturates where 64 bits do not hold it.
  [[nodiscard]] int64_t At(std::span<const int64_t> dims) const;
  // A range that holds the value at all dims in their ranges; not always the smallest.
  [[nodiscard]] SizeRange Over(std::span<const SizeRange> dims) const;
  // The value in another algebra: one with a type Value and the operations Number(int64_t),
  // Symbol(int32_t), Add, Multiply, FloorDivide, Modulo, Minimum and Maximum.
  template <class Algebra>
  [[nodiscard]] typename Algebra::Value In(Algebra& algebra) const;
  // Highest symbol id used, -1: none.
  [[nodiscard]] int32_t HighestSymbol() const;
  // Symbol ids used, ascending.
  [[nodiscard]] std::vector<int32_t> Symbols() const;
  // Whether it is a*symbol + b, where neither a nor b depends on the symbol.
  [[nodiscard]] bool IsLinearIn(int32_t symbol) const;
  // "2*n + 1": `names` by symbol id.
  [[nodiscard]] std::string ToText(std::span<const std::string> names) const;

  friend SizeExpr operator+(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr operator-(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr operator*(const SizeExpr& a, const SizeExpr& b);
  // Rounds down; by zero gives zero.
  friend SizeExpr FloorDiv(const SizeExpr& a, const SizeExpr& b);
  // Has the divisor's sign; by zero gives zero.
  friend SizeExpr Mod(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr Min(const SizeExpr& a, const SizeExpr& b);
  friend SizeExpr Max(const SizeExpr& a, const SizeExpr& b);

  // Equal as polynomials: equal at all dims. What differs here may still be equal at all dims.
  bool operator==(const SizeExpr& other) const;
  std::strong_ordering operator<=>(const SizeExpr& other) const;

 private:
  enum class AtomKind : uint8_t { kSymbol, kFloorDiv, kMod, kMin, kMax };
  struct Operands;
  struct Atom {
    AtomKind kind = AtomKind::kSymbol;
    int32_t symbol = 0;
    std::shared_ptr<const Operands> operands;  // null for symbols

    [[nodiscard]] int64_t At(std::span<const int64_t> dims) const;
    [[nodiscard]] SizeRange Over(std::span<const SizeRange> dims) const;
    template <class Algebra>
    [[nodiscard]] typename Algebra::Value In(Algebra& algebra) const;
    [[nodiscard]] std::string ToText(std::span<const std::string> names) const;
    bool operator==(const Atom& other) const;
    std::strong_ordering operator<=>(const Atom& other) const;
  };
  struct Term {
    std::vector<Atom> factors;  // ascending, never empty
    int64_t coefficient = 0;    // never 0
  };

  static SizeExpr Of(AtomKind kind, const SizeExpr& a, const SizeExpr& b);
  void Add(const Term& term);
  void AddSymbols(std::vector<int32_t>& symbols) const;
  [[nodiscard]] std::optional<SizeExpr> Quotient(const SizeExpr& divisor) const;

  int64_t constant_ = 0;
  std::vector<Term> terms_;  // ascending by factors
};

struct SizeExpr::Operands {
  SizeExpr a;
  SizeExpr b;
};

template <class Algebra>
typename Algebra::Value SizeExpr::In(Algebra& algebra) const {
  using Value = typename Algebra::Value;
  std::optional<Value> sum;
  if (constant_ != 0 || terms_.empty()) sum = algebra.Number(constant_);
  for (const Term& term : terms_) {
    std::optional<Value> product;
    if (term.coefficient != 1) product = algebra.Number(term.coefficient);
    for (const Atom& atom : term.factors) {
      Value factor = atom.In(algebra);
      product = product ? algebra.Multiply(*product, factor) : factor;
    }
    sum = sum ? algebra.Add(*sum, *product) : *product;
  }
  return *sum;
}

template <class Algebra>
typename Algebra::Value SizeExpr::Atom::In(Algebra& algebra) const {
  if (kind == AtomKind::kSymbol) return algebra.Symbol(symbol);
  const auto a = operands->a.In(algebra);
  const auto b = operands->b.In(algebra);
  switch (kind) {
    case AtomKind::kFloorDiv:
      return algebra.FloorDivide(a, b);
    case AtomKind::kMod:
      return algebra.Modulo(a, b);
    case AtomKind::kMin:
      return algebra.Minimum(a, b);
    default:
      return algebra.Maximum(a, b);
  }
}

// Ceiling of a / b, for positive b.
[[nodiscard]] SizeExpr CeilDiv(const SizeExpr& a, const SizeExpr& b);

// Product of all; of none: 1.
[[nodiscard]] SizeExpr Product(std::span<const SizeExpr> sizes);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_SIZE_EXPR_H_
