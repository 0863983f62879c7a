// Operators of the runtime on numbers: sizes, counters, conditions.
#include <cmath>
#include <limits>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/number_types.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kIsBool = "an operand is a bool";
constexpr KernelStatus kIsNoInteger = "an operand is not an integer";
constexpr KernelStatus kByZero = "the divisor is zero";
constexpr KernelStatus kTooLarge = "the least integer is divided by -1";

bool IsReal(const RunValue& value) {
  return value.kind == ValueKind::kDouble;
}
double RealOf(const RunValue& value) {
  return IsReal(value) ? value.real : static_cast<double>(value.integer);
}

KernelStatus Give(const KernelCall& call, int64_t integer) {
  call.result->kind = ValueKind::kInt;
  call.result->integer = integer;
  return nullptr;
}
KernelStatus GiveReal(const KernelCall& call, double real) {
  call.result->kind = ValueKind::kDouble;
  call.result->real = real;
  return nullptr;
}
KernelStatus GiveBool(const KernelCall& call, bool flag) {
  call.result->kind = ValueKind::kBool;
  call.result->integer = flag ? 1 : 0;
  return nullptr;
}
// A whole float as an integer.
KernelStatus GiveWhole(const KernelCall& call, double whole) {
  if (!(whole >= -0x1p63 && whole < 0x1p63)) return "no integer is that large";
  return Give(call, static_cast<int64_t>(whole));
}

// Wraps around, as the processor's arithmetic does.
int64_t Wrapped(uint64_t bits) {
  return static_cast<int64_t>(bits);
}
// Of integers that a processor divides (DivisionFault).
int64_t FloorQuotient(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
int64_t FloorRemainder(int64_t a, int64_t b) {
  return Wrapped(static_cast<uint64_t>(a) -
                 static_cast<uint64_t>(FloorQuotient(a, b)) * static_cast<uint64_t>(b));
}

KernelStatus DivisionFault(int64_t a, int64_t b) {
  if (b == 0) return kByZero;
  return b == -1 && a == std::numeric_limits<int64_t>::min() ? kTooLarge : nullptr;
}

struct Sum {
  static int64_t Of(int64_t a, int64_t b) {
    return Wrapped(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
  static double Of(double a, double b) { return a + b; }
};
struct Difference {
  static int64_t Of(int64_t a, int64_t b) {
    return Wrapped(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
  static double Of(double a, double b) { return a - b; }
};
struct Product {
  static int64_t Of(int64_t a, int64_t b) {
    return Wrapped(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  static double Of(double a, double b) { return a * b; }
};

// Integers as integers, and floats where one is a float.
template <class Operation>
KernelStatus Arithmetic(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  const RunValue& b = *call.args[1];
  if (a.kind == ValueKind::kBool || b.kind == ValueKind::kBool) return kIsBool;
  if (IsReal(a) || IsReal(b)) return GiveReal(call, Operation::Of(RealOf(a), RealOf(b)));
  return Give(call, Operation::Of(a.integer, b.integer));
}

// By way of the exact remainder: a / b may have been rounded up to a whole number.
double FloorQuotient(double a, double b) {
  if (b == 0) return a / b;
  const double rest = std::fmod(a, b);
  const bool below = rest != 0 && (rest < 0) != (b < 0);
  const double quotient = (a - rest) / b - (below ? 1 : 0);
  return quotient == 0 ? std::copysign(0.0, a / b) : std::nearbyint(quotient);
}

KernelStatus FloorDivide(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  const RunValue& b = *call.args[1];
  if (a.kind == ValueKind::kBool || b.kind == ValueKind::kBool) return kIsBool;
  if (IsReal(a) || IsReal(b)) return GiveReal(call, FloorQuotient(RealOf(a), RealOf(b)));
  if (KernelStatus why = DivisionFault(a.integer, b.integer)) return why;
  return Give(call, FloorQuotient(a.integer, b.integer));
}

template <int64_t (*of)(int64_t, int64_t), bool kDivides>
KernelStatus OfIntegers(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  const RunValue& b = *call.args[1];
  if (a.kind != ValueKind::kInt || b.kind != ValueKind::kInt) return kIsNoInteger;
  KernelStatus why = kDivides ? DivisionFault(a.integer, b.integer) : nullptr;
  if (why != nullptr) return why;
  return Give(call, of(a.integer, b.integer));
}

int64_t Larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}
int64_t Smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

KernelStatus Divide(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  const RunValue& b = *call.args[1];
  if (a.kind == ValueKind::kBool || b.kind == ValueKind::kBool) return kIsBool;
  return GiveReal(call, RealOf(a) / RealOf(b));
}

// Two bools; or numbers, an integer and a float as floats.
template <class Relation>
KernelStatus Compare(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  const RunValue& b = *call.args[1];
  if ((a.kind == ValueKind::kBool) != (b.kind == ValueKind::kBool)) {
    return "one operand is a bool, and the other is a number";
  }
  const Relation holds;
  if (IsReal(a) || IsReal(b)) return GiveBool(call, holds(RealOf(a), RealOf(b)));
  return GiveBool(call, holds(a.integer, b.integer));
}

KernelStatus Negate(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  if (a.kind == ValueKind::kBool) return kIsBool;
  if (IsReal(a)) return GiveReal(call, -a.real);
  return Give(call, Difference::Of(int64_t{0}, a.integer));
}

KernelStatus ToReal(const KernelCall& call) {
  return GiveReal(call, RealOf(*call.args[0]));
}

KernelStatus ToInteger(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  return IsReal(a) ? GiveWhole(call, std::trunc(a.real)) : Give(call, a.integer);
}

template <double (*whole)(double)>
KernelStatus Round(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  return IsReal(a) ? GiveWhole(call, whole(a.real)) : "the operand is not a float";
}

KernelStatus Not(const KernelCall& call) {
  const RunValue& a = *call.args[0];
  if (a.kind != ValueKind::kBool) return "the operand is not a bool";
  return GiveBool(call, a.integer == 0);
}

KernelStatus Choose(const KernelCall& call) {
  const RunValue& condition = *call.args[0];
  if (condition.kind != ValueKind::kBool) return "the condition is not a bool";
  const RunValue& chosen = *call.args[condition.integer != 0 ? 1 : 2];
  call.result->kind = chosen.kind;
  call.result->integer = chosen.integer;
  call.result->real = chosen.real;
  return nullptr;
}

KernelStatus SizeOf(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = IntAt(call, 1);
  if (dim < 0) return "the dimension is negative, and is counted from 0 here";
  if (dim >= static_cast<int64_t>(self.rank())) return "the dimension does not exist";
  return Give(call, self.sizes[static_cast<size_t>(dim)]);
}

KernelStatus CountOf(const KernelCall& call) {
  return Give(call, ElementCount(TensorAt(call, 0)));
}

KernelStatus FirstElement(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  if (!IsReadAsNumber(self.dtype)) {
    return "elements of the tensor's type are not read as numbers; those of uint8, int8 to int64, "
           "float32, float64 and bool are";
  }
  if (ElementCount(self) == 0) return "the tensor has no element";
  const ElementNumber number = LoadElement(self.dtype, self.pointer());
  if (number.is_real) return GiveReal(call, number.real);
  return self.dtype == ScalarType::kBool ? GiveBool(call, number.integer != 0)
                                         : Give(call, number.integer);
}

struct Equal {
  bool operator()(auto a, auto b) const { return a == b; }
};
struct More {
  bool operator()(auto a, auto b) const { return a > b; }
};
struct Less {
  bool operator()(auto a, auto b) const { return a < b; }
};
struct AtLeast {
  bool operator()(auto a, auto b) const { return a >= b; }
};
struct AtMost {
  bool operator()(auto a, auto b) const { return a <= b; }
};

constexpr Kernel Gives(std::string_view name, KernelStatus (*run)(const KernelCall&)) {
  return {name, nullptr, run};
}

constexpr Kernel kNumberKernels[] = {
    Gives("executorch_prim::add.Scalar", Arithmetic<Sum>),
    Gives("executorch_prim::sub.Scalar", Arithmetic<Difference>),
    Gives("executorch_prim::mul.Scalar", Arithmetic<Product>),
    Gives("executorch_prim::floordiv.Scalar", FloorDivide),
    Gives("executorch_prim::floordiv.int", OfIntegers<FloorQuotient, true>),
    Gives("executorch_prim::mod.Scalar", OfIntegers<FloorRemainder, true>),
    Gives("executorch_prim::mod.int", OfIntegers<FloorRemainder, true>),
    Gives("executorch_prim::sym_max.Scalar", OfIntegers<Larger, false>),
    Gives("executorch_prim::sym_min.Scalar", OfIntegers<Smaller, false>),
    Gives("executorch_prim::truediv.Scalar", Divide),
    Gives("executorch_prim::eq.Scalar", Compare<Equal>),
    Gives("executorch_prim::gt.Scalar", Compare<More>),
    Gives("executorch_prim::lt.Scalar", Compare<Less>),
    Gives("executorch_prim::ge.Scalar", Compare<AtLeast>),
    Gives("executorch_prim::le.Scalar", Compare<AtMost>),
    Gives("executorch_prim::neg.Scalar", Negate),
    Gives("executorch_prim::sym_float.Scalar", ToReal),
    Gives("executorch_prim::sym_int.Scalar", ToInteger),
    Gives("executorch_prim::sym_not.Scalar", Not),
    Gives("executorch_prim::ceil.Scalar", Round<std::ceil>),
    Gives("executorch_prim::round.Scalar", Round<std::nearbyint>),
    Gives("executorch_prim::trunc.Scalar", Round<std::trunc>),
    Gives("executorch_prim::sym_ite.Scalar", Choose),
    Gives("aten::sym_size.int", SizeOf),
    Gives("aten::sym_numel", CountOf),
    Gives("aten::_local_scalar_dense", FirstElement),
};

}  // namespace

std::span<const Kernel> NumberKernels() {
  return kNumberKernels;
}

}  // namespace pteproof::kernels
