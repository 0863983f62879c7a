// Reductions: sums, means, products, variances, `any`, and the largest and smallest values.
#include <cmath>

#include "reference/ops/elements.h"
#include "reference/ops/reduction.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kReduceOrder = "kernels sum in the type and in another order";

constexpr std::string_view kBadDims =
    "the list of dimensions is empty, names one twice, or depends on dims";

// One result of the sizes that remain.
Types RemainingSizes(const TypeCall& call, ScalarType dtype) {
  const auto dims = ReducedDimensions(call);
  if (!dims) return std::string(kBadDims);
  const auto keep = Given(call, "keepdim");
  return OneResult(dtype, Reduced(TensorAt(call, 0).sizes, *dims, keep && BoolAt(call, *keep)));
}

// As above, of the type that the operand `dtype` asks for, if it is given.
Types RemainingSizesAs(const TypeCall& call, ScalarType otherwise) {
  const auto asked = Given(call, "dtype");
  if (!asked) return RemainingSizes(call, otherwise);
  const auto code = ConstantAt(call, *asked);
  if (!code || *code < 0 || *code > 29) return std::string("dtype is not an element type");
  return RemainingSizes(call, static_cast<ScalarType>(*code));
}

// Sums and products of integers and bool are int64.
Types TotalType(const TypeCall& call) {
  const ScalarType self = TensorAt(call, 0).dtype;
  const bool keeps = IsFloat(self) || IsComplex(self);
  return RemainingSizesAs(call, keeps ? self : ScalarType::kInt64);
}

Types MeanType(const TypeCall& call) {
  return RemainingSizesAs(call, FloatOf(TensorAt(call, 0).dtype));
}

Types VarianceType(const TypeCall& call) {
  const ScalarType self = TensorAt(call, 0).dtype;
  if (IsComplex(self)) return std::string("the variance of complex numbers is not defined here");
  return RemainingSizes(call, FloatOf(self));
}

Types VarianceAndMeanType(const TypeCall& call) {
  Types types = VarianceType(call);
  if (types.ok()) types.value().push_back(types.value().front());
  return types;
}

Types ExtremeType(const TypeCall& call) {
  const ScalarType self = TensorAt(call, 0).dtype;
  if (IsComplex(self)) return std::string("complex numbers have no order");
  return RemainingSizes(call, self);
}

// bool, but for uint8, which PyTorch keeps.
ScalarType TruthOf(ScalarType self) {
  return self == ScalarType::kUInt8 ? self : ScalarType::kBool;
}

Types AnyType(const TypeCall& call) {
  return RemainingSizes(call, TruthOf(TensorAt(call, 0).dtype));
}

// An empty list of dimensions, unlike None, reduces over none.
template <class Arg>
bool ReducesNothing(const CallOf<Arg>& call) {
  const auto dim = Given(call, "dim");
  return dim && IntsAt(call, *dim).empty();
}

Types AnyOfDimsType(const TypeCall& call) {
  if (!ReducesNothing(call)) return AnyType(call);
  const TensorType& self = TensorAt(call, 0);
  return OneResult(TruthOf(self.dtype), self.sizes);
}

// Makes result o out of its members.
using Fold = void (*)(const TensorValue& self, const Members& members, TensorValue& result,
                      int64_t o);

template <Fold fold>
std::string Reduce(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto dims = ReducedDimensions(call);
  if (!dims) return std::string(kBadDims);
  ForEachGroup(self.sizes, *dims,
               [&](int64_t o, const Members& members) { fold(self, members, results[0], o); });
  return {};
}

// Each element is converted to the result's kind of number first.
void Sum(const TensorValue& self, const Members& members, TensorValue& result, int64_t o) {
  WithNumbers(result.dtype, [&](auto total) {
    for (size_t j = 0; j < members.size(); ++j) total += Element<decltype(total)>(self, members[j]);
    SetElement(result, o, total);
  });
}

// A partial product that float32 does not hold stays infinite in both libraries, however small the
// factors that follow.
void Multiply(const TensorValue& self, const Members& members, TensorValue& result, int64_t o) {
  const ScalarType held =
      result.dtype == ScalarType::kFloat64 ? ScalarType::kFloat64 : ScalarType::kFloat32;
  WithNumbers(result.dtype, [&](auto zero) {
    auto total = decltype(zero)(1);
    for (size_t j = 0; j < members.size(); ++j) {
      total *= Element<decltype(total)>(self, members[j]);
      if constexpr (std::is_same_v<decltype(total), double>) total = Rounded(total, held);
    }
    SetElement(result, o, total);
  });
}

double MeanOf(const TensorValue& self, const Members& members) {
  double total = 0;
  for (size_t j = 0; j < members.size(); ++j) total += RealAt(self, members[j]);
  return total / static_cast<double>(members.size());
}

void Mean(const TensorValue& self, const Members& members, TensorValue& result, int64_t o) {
  if (!IsComplex(result.dtype)) return SetReal(result, o, MeanOf(self, members));
  std::complex<double> total = 0;
  for (size_t j = 0; j < members.size(); ++j) total += ComplexAt(self, members[j]);
  SetComplex(result, o, total / static_cast<double>(members.size()));
}

void Any(const TensorValue& self, const Members& members, TensorValue& result, int64_t o) {
  bool any = false;
  for (size_t j = 0; j < members.size(); ++j) any = any || IsTrueAt(self, members[j]);
  SetInt(result, o, any ? 1 : 0);
}

std::string AnyOfDims(const Call& call, std::span<TensorValue> results) {
  if (!ReducesNothing(call)) return Reduce<Any>(call, results);
  const TensorValue& self = TensorAt(call, 0);
  ForEachElement(ElementCount(self),
                 [&](int64_t i) { SetInt(results[0], i, IsTrueAt(self, i) ? 1 : 0); });
  return {};
}

bool IsLess(const TensorValue& self, int64_t a, int64_t b) {
  if (IsFloat(self.dtype)) return RealAt(self, a) < RealAt(self, b);
  if (self.dtype == ScalarType::kUInt64) {
    return static_cast<uint64_t>(IntAt(self, a)) < static_cast<uint64_t>(IntAt(self, b));
  }
  return IntAt(self, a) < IntAt(self, b);
}

// A NaN is both the largest and the smallest.
template <bool kLargest>
void Extreme(const TensorValue& self, const Members& members, TensorValue& result, int64_t o) {
  int64_t best = members[0];
  for (size_t j = 1; j < members.size() && !IsNanAt(self, best); ++j) {
    const int64_t i = members[j];
    if (IsNanAt(self, i) || (kLargest ? IsLess(self, best, i) : IsLess(self, i, best))) best = i;
  }
  CopyElement(self, best, result, o);
}

template <bool kLargest>
std::string ReduceToExtreme(const Call& call, std::span<TensorValue> results) {
  const bool empty = ElementCount(TensorAt(call, 0)) == 0;
  if (empty) return ElementCount(results[0]) == 0 ? "" : "of no elements none is the largest";
  return Reduce<Extreme<kLargest>>(call, results);
}

// What is taken off the count to give the divisor.
double Correction(const Call& call) {
  if (const auto correction = Given(call, "correction")) return NumberAt(call, *correction).real;
  const auto unbiased = Given(call, "unbiased");
  return unbiased && !BoolAt(call, *unbiased) ? 0 : 1;
}

// A divisor below 0 counts as 0, as in PyTorch: infinity, or NaN where the squares are 0 too.
double Variance(const TensorValue& self, const Members& members, double mean, double correction) {
  double squares = 0;
  for (size_t j = 0; j < members.size(); ++j) {
    const double off = RealAt(self, members[j]) - mean;
    squares += off * off;
  }
  return squares / std::max(0.0, static_cast<double>(members.size()) - correction);
}

// var gives the first result, var_mean the mean as well.
std::string VarianceAndMean(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto dims = ReducedDimensions(call);
  if (!dims) return std::string(kBadDims);
  const double correction = Correction(call);
  ForEachGroup(self.sizes, *dims, [&](int64_t o, const Members& members) {
    const double mean = MeanOf(self, members);
    SetReal(results[0], o, Variance(self, members, mean, correction));
    if (results.size() > 1) SetReal(results[1], o, mean);
  });
  return {};
}

constexpr OpMeaning kReduceMeanings[] = {
    Exact("aten::amax.out", ExtremeType, ReduceToExtreme<true>),
    Exact("aten::amin.out", ExtremeType, ReduceToExtreme<false>),
    Exact("aten::max.unary_out", ExtremeType, ReduceToExtreme<true>),
    Exact("aten::min.unary_out", ExtremeType, ReduceToExtreme<false>),
    Exact("aten::any.all_out", AnyType, Reduce<Any>),
    Exact("aten::any.out", AnyType, Reduce<Any>),
    Exact("aten::any.dims_out", AnyOfDimsType, AnyOfDims),
    RoundedFor(kReduceOrder, "aten::mean.dtype_out", MeanType, Reduce<Mean>),
    RoundedFor(kReduceOrder, "aten::mean.out", MeanType, Reduce<Mean>),
    RoundedFor(kReduceOrder, "aten::prod.out", TotalType, Reduce<Multiply>),
    RoundedFor(kReduceOrder, "aten::prod.int_out", TotalType, Reduce<Multiply>),
    RoundedFor(kReduceOrder, "aten::sum.IntList_out", TotalType, Reduce<Sum>),
    RoundedFor(kReduceOrder, "aten::var.correction_out", VarianceType, VarianceAndMean),
    RoundedFor(kReduceOrder, "aten::var.out", VarianceType, VarianceAndMean),
    RoundedFor(kReduceOrder, "aten::var_mean.correction_out", VarianceAndMeanType, VarianceAndMean),
};

}  // namespace

std::span<const OpMeaning> ReduceMeanings() {
  return kReduceMeanings;
}

}  // namespace pteproof
