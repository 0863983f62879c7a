// Operators of the runtime that give numbers: arithmetic on sizes and counters.
#include <cmath>
#include <limits>

#include "reference/ops/elementwise.h"
#include "reference/ops/quotient.h"

namespace pteproof {
namespace {

using NumberOrFault = Result<ScalarResult, std::string>;

bool AreIntegers(const Number& a, const Number& b) {
  return a.kind == Number::Kind::kInt && b.kind == Number::Kind::kInt;
}

bool HasBool(const Call& call) {
  return NumberAt(call, 0).kind == Number::Kind::kBool ||
         NumberAt(call, 1).kind == Number::Kind::kBool;
}

// Integers as integers, and floats where one is a float.
template <int64_t (*Integers)(int64_t, int64_t), double (*Reals)(double, double)>
NumberOrFault Arithmetic(const Call& call) {
  if (HasBool(call)) return std::string("an operand is a bool");
  const Number a = NumberAt(call, 0);
  const Number b = NumberAt(call, 1);
  if (AreIntegers(a, b)) return ScalarResult(Integers(a.integer, b.integer));
  return ScalarResult(Reals(a.real, b.real));
}

// Why a processor does not divide the integers; empty: it does.
std::string DivisionFault(const Number& a, const Number& b) {
  if (b.integer == 0) return "the divisor is zero";
  const bool fits = b.integer != -1 || a.integer != std::numeric_limits<int64_t>::min();
  return fits ? "" : "the least integer is divided by -1";
}

template <int64_t (*Integers)(int64_t, int64_t), double (*Reals)(double, double)>
NumberOrFault Division(const Call& call) {
  const Number a = NumberAt(call, 0);
  const Number b = NumberAt(call, 1);
  if (AreIntegers(a, b)) {
    if (std::string why = DivisionFault(a, b); !why.empty()) return why;
  }
  return Arithmetic<Integers, Reals>(call);
}

// Of integers only. Division rounds down, as sizes' expressions and Python have it; ExecuTorch
// truncates some of them, which differs for negative operands.
template <int64_t (*Integers)(int64_t, int64_t), bool kDivides = false>
NumberOrFault OfIntegers(const Call& call) {
  const Number a = NumberAt(call, 0);
  const Number b = NumberAt(call, 1);
  if (!AreIntegers(a, b)) return std::string("an operand is not an integer");
  std::string why = kDivides ? DivisionFault(a, b) : "";
  if (!why.empty()) return why;
  return ScalarResult(Integers(a.integer, b.integer));
}

double AddReals(double a, double b) {
  return a + b;
}
double SubtractReals(double a, double b) {
  return a - b;
}
double MultiplyReals(double a, double b) {
  return a * b;
}
int64_t GreaterOf(int64_t a, int64_t b) {
  return a > b ? a : b;
}
int64_t SmallerOf(int64_t a, int64_t b) {
  return a < b ? a : b;
}

NumberOrFault QuotientOf(const Call& call) {
  if (HasBool(call)) return std::string("an operand is a bool");
  return ScalarResult(NumberAt(call, 0).real / NumberAt(call, 1).real);
}

struct Equals {
  bool operator()(auto a, auto b) const { return a == b; }
};
struct MoreThan {
  bool operator()(auto a, auto b) const { return a > b; }
};
struct LessThan {
  bool operator()(auto a, auto b) const { return a < b; }
};
struct AtLeast {
  bool operator()(auto a, auto b) const { return a >= b; }
};
struct AtMost {
  bool operator()(auto a, auto b) const { return a <= b; }
};

// Two bools; or numbers, an integer and a float as floats.
template <class Relation>
NumberOrFault Compare(const Call& call) {
  const Number a = NumberAt(call, 0);
  const Number b = NumberAt(call, 1);
  if ((a.kind == Number::Kind::kBool) != (b.kind == Number::Kind::kBool)) {
    return std::string("one operand is a bool, and the other is a number");
  }
  const Relation relation;
  if (a.is_real() || b.is_real()) return ScalarResult(relation(a.real, b.real));
  return ScalarResult(relation(a.integer, b.integer));
}

NumberOrFault NegativeOf(const Call& call) {
  const Number a = NumberAt(call, 0);
  if (a.kind == Number::Kind::kBool) return std::string("the operand is a bool");
  if (a.is_real()) return ScalarResult(-a.real);
  return ScalarResult(WrappingSub(0, a.integer));
}

NumberOrFault ToFloat(const Call& call) {
  return ScalarResult(NumberAt(call, 0).real);
}

NumberOrFault IntegerOf(double whole) {
  if (!(whole >= -0x1p63 && whole < 0x1p63)) return std::string("no integer is that large");
  return ScalarResult(static_cast<int64_t>(whole));
}

NumberOrFault ToInteger(const Call& call) {
  const Number a = NumberAt(call, 0);
  return a.is_real() ? IntegerOf(std::trunc(a.real)) : ScalarResult(a.integer);
}

template <double (*Whole)(double)>
NumberOrFault Rounding(const Call& call) {
  const Number a = NumberAt(call, 0);
  if (!a.is_real()) return std::string("the operand is not a float");
  return IntegerOf(Whole(a.real));
}

NumberOrFault Not(const Call& call) {
  const Number a = NumberAt(call, 0);
  if (a.kind != Number::Kind::kBool) return std::string("the operand is not a bool");
  return ScalarResult(a.integer == 0);
}

ScalarResult ResultOf(const Number& number) {
  if (number.is_real()) return number.real;
  if (number.kind == Number::Kind::kBool) return number.integer != 0;
  return number.integer;
}

NumberOrFault Choice(const Call& call) {
  const Number condition = NumberAt(call, 0);
  if (condition.kind != Number::Kind::kBool) return std::string("the condition is not a bool");
  return ResultOf(NumberAt(call, condition.integer != 0 ? 1 : 2));
}

// Before a run.

using MaybeSize = std::optional<SizeExpr>;

MaybeSize SizeAt(const TypeCall& call, size_t i) {
  const auto* size = std::get_if<SizeExpr>(&call.args[i]);
  return size == nullptr ? std::nullopt : MaybeSize(*size);
}

// The number as an expression, where both operands are.
template <auto kFunction>
MaybeSize OfSizes(const TypeCall& call) {
  const MaybeSize a = SizeAt(call, 0);
  const MaybeSize b = SizeAt(call, 1);
  return a && b ? MaybeSize(kFunction(*a, *b)) : std::nullopt;
}

using Size = const SizeExpr&;
constexpr ScalarRule kAddition = OfSizes<[](Size a, Size b) { return a + b; }>;
constexpr ScalarRule kDifference = OfSizes<[](Size a, Size b) { return a - b; }>;
constexpr ScalarRule kProduct = OfSizes<[](Size a, Size b) { return a * b; }>;
constexpr ScalarRule kFloorDiv = OfSizes<[](Size a, Size b) { return FloorDiv(a, b); }>;
constexpr ScalarRule kMod = OfSizes<[](Size a, Size b) { return Mod(a, b); }>;
constexpr ScalarRule kMax = OfSizes<[](Size a, Size b) { return Max(a, b); }>;
constexpr ScalarRule kMin = OfSizes<[](Size a, Size b) { return Min(a, b); }>;

MaybeSize NegativeSize(const TypeCall& call) {
  const MaybeSize a = SizeAt(call, 0);
  return a ? MaybeSize(0 - *a) : std::nullopt;
}

// An integer stays what it is.
MaybeSize IntegerSize(const TypeCall& call) {
  return SizeAt(call, 0);
}

MaybeSize ChosenSize(const TypeCall& call) {
  const auto* condition = std::get_if<bool>(&call.args[0]);
  if (condition == nullptr) return std::nullopt;
  return SizeAt(call, *condition ? 1 : 2);
}

constexpr OpMeaning Scalar(std::string_view name, ScalarMeaning scalar, ScalarRule rule = nullptr) {
  return {.name = name, .scalar = scalar, .scalar_rule = rule};
}

constexpr OpMeaning kPrimMeanings[] = {
    Scalar("executorch_prim::add.Scalar", Arithmetic<WrappingAdd, AddReals>, kAddition),
    Scalar("executorch_prim::sub.Scalar", Arithmetic<WrappingSub, SubtractReals>, kDifference),
    Scalar("executorch_prim::mul.Scalar", Arithmetic<WrappingMul, MultiplyReals>, kProduct),
    Scalar("executorch_prim::floordiv.Scalar", Division<FlooredQuotient, FlooredQuotient>,
           kFloorDiv),
    Scalar("executorch_prim::floordiv.int", OfIntegers<FlooredQuotient, true>, kFloorDiv),
    Scalar("executorch_prim::mod.Scalar", OfIntegers<FlooredRemainder, true>, kMod),
    Scalar("executorch_prim::mod.int", OfIntegers<FlooredRemainder, true>, kMod),
    Scalar("executorch_prim::sym_max.Scalar", OfIntegers<GreaterOf>, kMax),
    Scalar("executorch_prim::sym_min.Scalar", OfIntegers<SmallerOf>, kMin),
    Scalar("executorch_prim::truediv.Scalar", QuotientOf),
    Scalar("executorch_prim::eq.Scalar", Compare<Equals>),
    Scalar("executorch_prim::gt.Scalar", Compare<MoreThan>),
    Scalar("executorch_prim::lt.Scalar", Compare<LessThan>),
    Scalar("executorch_prim::ge.Scalar", Compare<AtLeast>),
    Scalar("executorch_prim::le.Scalar", Compare<AtMost>),
    Scalar("executorch_prim::neg.Scalar", NegativeOf, NegativeSize),
    Scalar("executorch_prim::sym_float.Scalar", ToFloat),
    Scalar("executorch_prim::sym_int.Scalar", ToInteger, IntegerSize),
    Scalar("executorch_prim::sym_not.Scalar", Not),
    Scalar("executorch_prim::ceil.Scalar", Rounding<std::ceil>),
    Scalar("executorch_prim::round.Scalar", Rounding<std::nearbyint>),
    Scalar("executorch_prim::trunc.Scalar", Rounding<std::trunc>),
    Scalar("executorch_prim::sym_ite.Scalar", Choice, ChosenSize),
};

}  // namespace

std::span<const OpMeaning> PrimMeanings() {
  return kPrimMeanings;
}

}  // namespace pteproof
