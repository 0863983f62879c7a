// Operators that make a result from sizes and numbers.
#include <algorithm>
#include <cmath>

#include "reference/evaluate.h"
#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// PyTorch's element type for a lone number. A program's own type takes its place.
ScalarType TypeOfNumber(Number::Kind kind) {
  if (kind == Number::Kind::kReal) return ScalarType::kFloat32;
  return kind == Number::Kind::kBool ? ScalarType::kBool : ScalarType::kInt64;
}

SizeList SizesAt(const TypeCall& call, size_t i) {
  const auto sizes = IntsAt(call, i);
  return {sizes.begin(), sizes.end()};
}

Types FloatsOfSizes(const TypeCall& call) {
  return OneResult(ScalarType::kFloat32, SizesAt(call, 0));
}

Types FullTypes(const TypeCall& call) {
  return OneResult(TypeOfNumber(NumberKindAt(call, 1)), SizesAt(call, 0));
}

Types OneFloat(const TypeCall&) {
  return OneResult(ScalarType::kFloat32, {});
}

// The results come as zeros.
std::string RunZeros(const Call&, std::span<TensorValue>) {
  return {};
}

std::string RunOnes(const Call&, std::span<TensorValue> results) {
  ForEachElement(ElementCount(results[0]), [&](int64_t i) { SetInt(results[0], i, 1); });
  return {};
}

template <size_t kOperand>
std::string RunFill(const Call& call, std::span<TensorValue> results) {
  const TensorValue* tensor = TensorOrNull(call, kOperand);
  if (tensor != nullptr && ElementCount(*tensor) != 1) return "the value is not one element";
  ForEachElement(ElementCount(results[0]), [&](int64_t i) {
    if (tensor != nullptr) {
      CopyElement(*tensor, 0, results[0], i);
    } else {
      SetNumber(results[0], i, NumberAt(call, kOperand));
    }
  });
  return {};
}

// A number of arange before a run: an expression, or a float.
struct RangeNumber {
  bool is_real = false;
  SizeExpr integer;
  double real = 0;
};

RangeNumber RangeNumberAt(const TypeCall& call, size_t i) {
  if (const auto* real = std::get_if<double>(&call.args[i])) return RangeNumber{true, 0, *real};
  if (const auto* flag = std::get_if<bool>(&call.args[i])) {
    return RangeNumber{false, *flag ? 1 : 0, *flag ? 1.0 : 0.0};
  }
  const SizeExpr& integer = IntAt(call, i);
  return RangeNumber{false, integer, static_cast<double>(integer.Constant().value_or(0))};
}

Types IntegerRange(const SizeExpr& start, const SizeExpr& end, const SizeExpr& step) {
  const auto by = step.Constant();
  if (!by || *by == 0) return std::string("the step is zero or not constant");
  const SizeExpr count = *by > 0 ? CeilDiv(end - start, step) : CeilDiv(start - end, 0 - step);
  return OneResult(ScalarType::kInt64, {Max(count, 0)});
}

Types RealRange(const RangeNumber& start, const RangeNumber& end, const RangeNumber& step) {
  for (const RangeNumber& number : {start, end, step}) {
    if (!number.integer.Constant()) return std::string("a bound beside a float is not constant");
  }
  const double count = std::max(0.0, std::ceil((end.real - start.real) / step.real));
  // NaN, too: of a zero step, of infinite bounds.
  if (!(count <= static_cast<double>(kMaxResultElements))) {
    return std::string("the range is infinite or too large");
  }
  return OneResult(ScalarType::kFloat32, {static_cast<int64_t>(count)});
}

Types RangeTypes(const RangeNumber& start, const RangeNumber& end, const RangeNumber& step) {
  if (!start.is_real && !end.is_real && !step.is_real) {
    return IntegerRange(start.integer, end.integer, step.integer);
  }
  return RealRange(start, end, step);
}

Types ArangeTypes(const TypeCall& call) {
  return RangeTypes({false, 0, 0}, RangeNumberAt(call, 0), {false, 1, 1});
}

Types ArangeFromTypes(const TypeCall& call) {
  return RangeTypes(RangeNumberAt(call, 0), RangeNumberAt(call, 1), RangeNumberAt(call, 2));
}

// start + i * step, in integers where both are.
std::string Fill(TensorValue& result, const Number& start, const Number& step) {
  ForEachElement(ElementCount(result), [&](int64_t i) {
    if (start.is_real() || step.is_real()) {
      SetReal(result, i, start.real + static_cast<double>(i) * step.real);
    } else {
      SetInt(result, i, WrappingAdd(start.integer, WrappingMul(i, step.integer)));
    }
  });
  return {};
}

std::string RunArange(const Call&, std::span<TensorValue> results) {
  return Fill(results[0], {}, {Number::Kind::kInt, 1, 1});
}

std::string RunArangeFrom(const Call& call, std::span<TensorValue> results) {
  return Fill(results[0], NumberAt(call, 0), NumberAt(call, 2));
}

constexpr OpMeaning AnyContents(std::string_view reason, std::string_view name) {
  return {.name = name,
          .types = FloatsOfSizes,
          .run = RunZeros,
          .closeness = Closeness::kShape,
          .reason = reason};
}

constexpr OpMeaning kCreateMeanings[] = {
    RoundedFor("float kernels may add up the steps", "aten::arange.out", ArangeTypes, RunArange),
    RoundedFor("float kernels may add up the steps", "aten::arange.start_out", ArangeFromTypes,
               RunArangeFrom),
    AnyContents("uninitialised", "aten::empty.out"),
    AnyContents("uninitialised", "dim_order_ops::_empty_dim_order.out"),
    AnyContents("random", "aten::rand.out"),
    AnyContents("random", "aten::randn.out"),
    Exact("aten::zeros.out", FloatsOfSizes, RunZeros),
    Exact("aten::zero_", SameAsFirst, RunZeros),
    Exact("aten::ones.out", FloatsOfSizes, RunOnes),
    Exact("aten::full.out", FullTypes, RunFill<1>),
    Exact("aten::full_like.out", SameAsFirst, RunFill<1>),
    Exact("aten::fill.Scalar_out", SameAsFirst, RunFill<1>),
    Exact("aten::fill.Tensor_out", SameAsFirst, RunFill<1>),
    Exact("aten::scalar_tensor.out", OneFloat, RunFill<0>),
};

}  // namespace

std::span<const OpMeaning> CreateMeanings() {
  return kCreateMeanings;
}

}  // namespace pteproof
