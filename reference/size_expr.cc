// Idea. A size is kept in a normal form, so that equal polynomials are equal objects: a constant
// and a sum of terms; a term is a coefficient times a sorted product of atoms; an atom is a dim or
// an operation that no polynomial expresses (floordiv, mod, min, max) on two sizes.
//
//   2*n*m + floordiv(n + 1, 2) - 3
//     constant -3
//     terms    { [n, m]: 2,  [floordiv(n + 1, 2)]: 1 }
//
// Operations simplify only what is exact for all dims: numbers, a quotient by a single term that
// divides every term, the minimum of two sizes whose difference is a number. A symbolic divisor is
// taken to be positive here, as divisors of sizes are.
//
// Invariants: terms ascend by their factors, no coefficient is 0, the factors of a term ascend. A
// number has no terms and allocates nothing. Arithmetic saturates at the ends of 64 bits, so a size
// that is too large stays too large.
//
// Over() is interval arithmetic: its range contains every value, but may be wider, as two
// occurrences of a dim count as independent. Cost: a sum costs O(terms x log), a product O(terms x
// terms).
#include "reference/size_expr.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pteproof {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

int64_t Sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? kMost : kLeast;
}

int64_t Times(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? kMost : kLeast;
}

int64_t FloorQuotient(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return Times(a, -1);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

int64_t Remainder(int64_t a, int64_t b) {
  if (b == 0 || b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

SizeRange SumOf(const SizeRange& a, const SizeRange& b) {
  return {Sum(a.lo, b.lo), Sum(a.hi, b.hi)};
}

SizeRange Hull(std::initializer_list<int64_t> corners) {
  return {std::min(corners), std::max(corners)};
}

SizeRange ProductOf(const SizeRange& a, const SizeRange& b) {
  return Hull({Times(a.lo, b.lo), Times(a.lo, b.hi), Times(a.hi, b.lo), Times(a.hi, b.hi)});
}

SizeRange QuotientOf(const SizeRange& a, const SizeRange& b) {
  if (b.lo <= 0 && b.hi >= 0) {
    const int64_t most = std::max(Times(a.lo, a.lo < 0 ? -1 : 1), Times(a.hi, a.hi < 0 ? -1 : 1));
    return {Times(most, -1), most};
  }
  return Hull({FloorQuotient(a.lo, b.lo), FloorQuotient(a.lo, b.hi), FloorQuotient(a.hi, b.lo),
               FloorQuotient(a.hi, b.hi)});
}

SizeRange RemainderOf(const SizeRange& a, const SizeRange& b) {
  if (b.lo > 0 && a.lo >= 0 && a.hi < b.lo) return a;
  return {std::min<int64_t>(0, Sum(b.lo, 1)), std::max<int64_t>(0, Sum(b.hi, -1))};
}

}  // namespace

SizeExpr SizeExpr::Symbol(int32_t id) {
  SizeExpr expr;
  expr.terms_.push_back({{Atom{AtomKind::kSymbol, id, nullptr}}, 1});
  return expr;
}

SizeExpr SizeExpr::Of(AtomKind kind, const SizeExpr& a, const SizeExpr& b) {
  SizeExpr expr;
  expr.terms_.push_back({{Atom{kind, 0, std::make_shared<const Operands>(Operands{a, b})}}, 1});
  return expr;
}

std::optional<int64_t> SizeExpr::Constant() const {
  return terms_.empty() ? std::optional(constant_) : std::nullopt;
}

int64_t SizeExpr::At(std::span<const int64_t> dims) const {
  int64_t sum = constant_;
  for (const Term& term : terms_) {
    int64_t product = term.coefficient;
    for (const Atom& atom : term.factors) product = Times(product, atom.At(dims));
    sum = Sum(sum, product);
  }
  return sum;
}

SizeRange SizeExpr::Over(std::span<const SizeRange> dims) const {
  SizeRange sum = {constant_, constant_};
  for (const Term& term : terms_) {
    SizeRange product = {term.coefficient, term.coefficient};
    for (const Atom& atom : term.factors) product = ProductOf(product, atom.Over(dims));
    sum = SumOf(sum, product);
  }
  return sum;
}

int32_t SizeExpr::HighestSymbol() const {
  int32_t highest = -1;
  for (const Term& term : terms_) {
    for (const Atom& atom : term.factors) {
      highest = std::max(highest, atom.kind == AtomKind::kSymbol
                                      ? atom.symbol
                                      : std::max(atom.operands->a.HighestSymbol(),
                                                 atom.operands->b.HighestSymbol()));
    }
  }
  return highest;
}

std::vector<int32_t> SizeExpr::Symbols() const {
  std::vector<int32_t> symbols;
  AddSymbols(symbols);
  std::ranges::sort(symbols);
  symbols.erase(std::ranges::unique(symbols).begin(), symbols.end());
  return symbols;
}

void SizeExpr::AddSymbols(std::vector<int32_t>& symbols) const {
  for (const Term& term : terms_) {
    for (const Atom& atom : term.factors) {
      if (atom.kind == AtomKind::kSymbol) {
        symbols.push_back(atom.symbol);
      } else {
        atom.operands->a.AddSymbols(symbols);
        atom.operands->b.AddSymbols(symbols);
      }
    }
  }
}

bool SizeExpr::IsLinearIn(int32_t symbol) const {
  for (const Term& term : terms_) {
    int factors = 0;
    for (const Atom& atom : term.factors) {
      if (atom.kind == AtomKind::kSymbol) {
        factors += atom.symbol == symbol ? 1 : 0;
        continue;
      }
      for (const SizeExpr* of : {&atom.operands->a, &atom.operands->b}) {
        const std::vector<int32_t> symbols = of->Symbols();
        if (std::ranges::find(symbols, symbol) != symbols.end()) return false;
      }
    }
    if (factors > 1) return false;
  }
  return true;
}

std::string SizeExpr::ToText(std::span<const std::string> names) const {
  std::string text;
  for (const Term& term : terms_) {
    if (!text.empty()) text += term.coefficient < 0 ? " - " : " + ";
    if (text.empty() && term.coefficient < 0) text += "-";
    const int64_t size = term.coefficient < 0 ? Times(term.coefficient, -1) : term.coefficient;
    if (size != 1) text += std::to_string(size) + "*";
    for (size_t f = 0; f < term.factors.size(); ++f) {
      text += (f == 0 ? "" : "*") + term.factors[f].ToText(names);
    }
  }
  if (terms_.empty()) return std::to_string(constant_);
  if (constant_ > 0) text += " + " + std::to_string(constant_);
  if (constant_ < 0) text += " - " + std::to_string(constant_).substr(1);
  return text;
}

// Keeps terms ascending, and none with coefficient 0.
void SizeExpr::Add(const Term& term) {
  const auto at = std::ranges::lower_bound(terms_, term.factors, {}, &Term::factors);
  if (at == terms_.end() || at->factors != term.factors) {
    terms_.insert(at, term);
    return;
  }
  at->coefficient = Sum(at->coefficient, term.coefficient);
  if (at->coefficient == 0) terms_.erase(at);
}

SizeExpr operator+(const SizeExpr& a, const SizeExpr& b) {
  SizeExpr sum = a;
  sum.constant_ = Sum(a.constant_, b.constant_);
  for (const SizeExpr::Term& term : b.terms_) sum.Add(term);
  return sum;
}

SizeExpr operator-(const SizeExpr& a, const SizeExpr& b) {
  return a + SizeExpr(-1) * b;
}

SizeExpr operator*(const SizeExpr& a, const SizeExpr& b) {
  SizeExpr product(Times(a.constant_, b.constant_));
  if (a.terms_.empty() && b.terms_.empty()) return product;
  const auto scale = [&](const SizeExpr& by, const SizeExpr& what) {
    if (by.constant_ == 0) return;
    for (SizeExpr::Term term : what.terms_) {
      term.coefficient = Times(term.coefficient, by.constant_);
      product.Add(term);
    }
  };
  scale(a, b);
  scale(b, a);
  for (const SizeExpr::Term& x : a.terms_) {
    for (const SizeExpr::Term& y : b.terms_) {
      SizeExpr::Term term = {x.factors, Times(x.coefficient, y.coefficient)};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      std::ranges::sort(term.factors);
      product.Add(term);
    }
  }
  return product;
}

// The exact quotient by a single term, when every term is a multiple of it.
std::optional<SizeExpr> SizeExpr::Quotient(const SizeExpr& divisor) const {
  const bool number = divisor.terms_.empty();
  if (!number && (divisor.terms_.size() != 1 || divisor.constant_ != 0)) return std::nullopt;
  const int64_t by = number ? divisor.constant_ : divisor.terms_[0].coefficient;
  if (by == 0 || constant_ % by != 0 || (!number && constant_ != 0)) return std::nullopt;
  SizeExpr quotient(number ? constant_ / by : 0);
  for (const Term& term : terms_) {
    if (term.coefficient % by != 0) return std::nullopt;
    Term rest = {{}, term.coefficient / by};
    const std::span<const Atom> cancel =
        number ? std::span<const Atom>{} : std::span<const Atom>(divisor.terms_[0].factors);
    std::ranges::set_difference(term.factors, cancel, std::back_inserter(rest.factors));
    if (rest.factors.size() + cancel.size() != term.factors.size()) return std::nullopt;
    if (rest.factors.empty()) {
      quotient.constant_ = Sum(quotient.constant_, rest.coefficient);
    } else {
      quotient.Add(rest);
    }
  }
  return quotient;
}

SizeExpr FloorDiv(const SizeExpr& a, const SizeExpr& b) {
  if (a.terms_.empty() && b.terms_.empty()) return FloorQuotient(a.constant_, b.constant_);
  // A symbolic divisor is taken for positive, as sizes that are divided by are.
  if (auto exact = a.Quotient(b)) return *exact;
  return SizeExpr::Of(SizeExpr::AtomKind::kFloorDiv, a, b);
}

SizeExpr Mod(const SizeExpr& a, const SizeExpr& b) {
  if (a.terms_.empty() && b.terms_.empty()) return Remainder(a.constant_, b.constant_);
  if (a.Quotient(b)) return 0;
  return SizeExpr::Of(SizeExpr::AtomKind::kMod, a, b);
}

SizeExpr Min(const SizeExpr& a, const SizeExpr& b) {
  if (const auto gap = (a - b).Constant()) return *gap <= 0 ? a : b;
  return SizeExpr::Of(SizeExpr::AtomKind::kMin, std::min(a, b), std::max(a, b));
}

SizeExpr Max(const SizeExpr& a, const SizeExpr& b) {
  if (const auto gap = (a - b).Constant()) return *gap >= 0 ? a : b;
  return SizeExpr::Of(SizeExpr::AtomKind::kMax, std::min(a, b), std::max(a, b));
}

bool SizeExpr::operator==(const SizeExpr& other) const {
  return (*this <=> other) == 0;
}

std::strong_ordering SizeExpr::operator<=>(const SizeExpr& other) const {
  if (const auto by = constant_ <=> other.constant_; by != 0) return by;
  if (const auto by = terms_.size() <=> other.terms_.size(); by != 0) return by;
  for (size_t t = 0; t < terms_.size(); ++t) {
    if (const auto by = terms_[t].coefficient <=> other.terms_[t].coefficient; by != 0) return by;
    if (const auto by = terms_[t].factors <=> other.terms_[t].factors; by != 0) return by;
  }
  return std::strong_ordering::equal;
}

int64_t SizeExpr::Atom::At(std::span<const int64_t> dims) const {
  if (kind == AtomKind::kSymbol) return dims[static_cast<size_t>(symbol)];
  const int64_t a = operands->a.At(dims);
  const int64_t b = operands->b.At(dims);
  switch (kind) {
    case AtomKind::kFloorDiv:
      return FloorQuotient(a, b);
    case AtomKind::kMod:
      return Remainder(a, b);
    case AtomKind::kMin:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

SizeRange SizeExpr::Atom::Over(std::span<const SizeRange> dims) const {
  if (kind == AtomKind::kSymbol) return dims[static_cast<size_t>(symbol)];
  const SizeRange a = operands->a.Over(dims);
  const SizeRange b = operands->b.Over(dims);
  switch (kind) {
    case AtomKind::kFloorDiv:
      return QuotientOf(a, b);
    case AtomKind::kMod:
      return RemainderOf(a, b);
    case AtomKind::kMin:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    default:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
}

std::string SizeExpr::Atom::ToText(std::span<const std::string> names) const {
  if (kind == AtomKind::kSymbol) return names[static_cast<size_t>(symbol)];
  static constexpr const char* kNames[] = {"", "floordiv", "mod", "min", "max"};
  return std::string(kNames[static_cast<size_t>(kind)]) + "(" + operands->a.ToText(names) + ", " +
         operands->b.ToText(names) + ")";
}

bool SizeExpr::Atom::operator==(const Atom& other) const {
  return (*this <=> other) == 0;
}

std::strong_ordering SizeExpr::Atom::operator<=>(const Atom& other) const {
  if (const auto by = kind <=> other.kind; by != 0) return by;
  if (kind == AtomKind::kSymbol) return symbol <=> other.symbol;
  if (operands == other.operands) return std::strong_ordering::equal;
  if (const auto by = operands->a <=> other.operands->a; by != 0) return by;
  return operands->b <=> other.operands->b;
}

SizeExpr CeilDiv(const SizeExpr& a, const SizeExpr& b) {
  return FloorDiv(a + b - 1, b);
}

SizeExpr Product(std::span<const SizeExpr> sizes) {
  SizeExpr product(1);
  for (const SizeExpr& size : sizes) product = product * size;
  return product;
}

}  // namespace pteproof
