#include "runtime/kernels/base/promotion.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "runtime/kernels/base/blocks.h"

namespace pteproof::kernels {
namespace {

enum class Rank : uint8_t { kNumber, kLoneTensor, kTensor };

int CategoryOf(ScalarType dtype) {
  if (dtype == ScalarType::kBool) return 0;
  if (IsComplexType(dtype)) return 3;
  return IsRealType(dtype) ? 2 : 1;
}

bool IsUnsignedType(ScalarType dtype) {
  return dtype == ScalarType::kUInt8 || dtype == ScalarType::kUInt16 ||
         dtype == ScalarType::kUInt32 || dtype == ScalarType::kUInt64;
}

// The larger one; beside an unsigned one that it does not hold, a signed one grows.
ScalarType PromotedIntegerTypes(ScalarType a, ScalarType b) {
  if (IsUnsignedType(a) == IsUnsignedType(b)) return ElementSize(a) >= ElementSize(b) ? a : b;
  if (IsUnsignedType(b)) std::swap(a, b);
  if (ElementSize(b) > ElementSize(a)) return b;
  if (ElementSize(a) == 1) return ScalarType::kInt16;
  return ElementSize(a) == 2 ? ScalarType::kInt32 : ScalarType::kInt64;
}

ScalarType PromotedTypes(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (CategoryOf(a) != CategoryOf(b)) return CategoryOf(a) > CategoryOf(b) ? a : b;
  if (CategoryOf(a) == 1) return PromotedIntegerTypes(a, b);
  // float16 and bfloat16 hold nothing of each other.
  if (ElementSize(a) == ElementSize(b)) return ScalarType::kFloat32;
  return ElementSize(a) > ElementSize(b) ? a : b;
}

ScalarType TypeOfNumber(const RunValue& number) {
  if (number.kind == ValueKind::kDouble) return ScalarType::kFloat32;
  return number.kind == ValueKind::kBool ? ScalarType::kBool : ScalarType::kInt64;
}

}  // namespace

// The types of each rank are promoted among themselves, and then count if their category is higher.
ScalarType CommonType(const KernelCall& call, std::span<const size_t> operands) {
  std::array<std::optional<ScalarType>, 3> common;
  for (const size_t a : operands) {
    if (IsNone(call, a)) continue;
    const TensorRef* tensor = TensorOrNull(call, a);
    const ScalarType dtype = tensor != nullptr ? tensor->dtype : TypeOfNumber(*call.args[a]);
    const Rank rank = tensor == nullptr     ? Rank::kNumber
                      : tensor->rank() == 0 ? Rank::kLoneTensor
                                            : Rank::kTensor;
    auto& of_rank = common[static_cast<size_t>(rank)];
    of_rank = of_rank ? PromotedTypes(*of_rank, dtype) : dtype;
  }
  std::optional<ScalarType> result;
  for (size_t rank = common.size(); rank-- > 0;) {
    if (!common[rank]) continue;
    if (!result || CategoryOf(*common[rank]) > CategoryOf(*result)) {
      result = result ? PromotedTypes(*result, *common[rank]) : common[rank];
    }
  }
  return result.value_or(ScalarType::kFloat32);
}

ScalarType FloatOf(ScalarType dtype) {
  return CategoryOf(dtype) < 2 ? ScalarType::kFloat32 : dtype;
}

}  // namespace pteproof::kernels
