// Operators that choose each element from several tensors: where, masked_fill, clamp by tensors.
#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// The condition's type does not take part in the promotion.
Types WhereTypes(const TypeCall& call) {
  SizesOrFault sizes = CommonSizes(call, {0, 1, 2});
  if (!sizes.ok()) return sizes.error();
  return OneResult(CommonType(call, {1, 2}), std::move(sizes).value());
}

// Element by element from `yes` where the condition is not zero, else from `no`.
void Choose(const TensorValue& condition, const TensorValue& yes, const TensorValue& no,
            TensorValue& result) {
  ForEachElement(ElementCount(result), [&](int64_t i) {
    CopyElement(IntAt(condition, i) != 0 ? yes : no, i, result, i);
  });
}

std::string RunWhere(const Call& call, std::span<TensorValue> results) {
  TensorValue& result = results[0];
  const ScalarType common = CommonType(call, {1, 2});
  Choose(OperandAs(call, 0, ScalarType::kBool, result.sizes),
         OperandAs(call, 1, common, result.sizes), OperandAs(call, 2, common, result.sizes),
         result);
  return {};
}

Types MaskedFillTypes(const TypeCall& call) {
  SizesOrFault sizes = CommonSizes(call, {0, 1});
  if (!sizes.ok()) return sizes.error();
  return OneResult(TensorAt(call, 0).dtype, std::move(sizes).value());
}

// The value takes self's type.
std::string RunMaskedFill(const Call& call, std::span<TensorValue> results) {
  TensorValue& result = results[0];
  const ScalarType type = TensorAt(call, 0).dtype;
  Choose(OperandAs(call, 1, ScalarType::kBool, result.sizes),
         OperandAs(call, 2, type, result.sizes), OperandAs(call, 0, type, result.sizes), result);
  return {};
}

struct Clamp {
  template <class T>
    requires(!std::is_same_v<T, Complex>)
  T operator()(T x, T low, T high) const {
    return MinOrNan(MaxOrNan(x, low), high);
  }
};

std::string RunTensorClamp(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {0, 1, 2});
  TensorValue& result = results[0];
  if (IsNone(call, 1) && IsNone(call, 2)) return "neither bound is given";
  if (IsNone(call, 1)) return Combine<0, 2>(call, common, common, result, Smaller{});
  if (IsNone(call, 2)) return Combine<0, 1>(call, common, common, result, Larger{});
  return Combine<0, 1, 2>(call, common, common, result, Clamp{});
}

constexpr OpMeaning kChoiceMeanings[] = {
    Exact("aten::where.self_out", WhereTypes, RunWhere),
    Exact("aten::masked_fill.Scalar_out", MaskedFillTypes, RunMaskedFill),
    Exact("aten::clamp.Tensor_out", ElementwiseTypes<Admit::kReal, Itself, 0, 1, 2>,
          RunTensorClamp),
};

}  // namespace

std::span<const OpMeaning> ChoiceMeanings() {
  return kChoiceMeanings;
}

}  // namespace pteproof
