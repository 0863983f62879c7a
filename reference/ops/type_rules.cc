#include "reference/ops/type_rules.h"

#include <algorithm>

namespace pteproof {
namespace {

bool IsSigned(ScalarType type) {
  return type == ScalarType::kInt8 || type == ScalarType::kInt16 || type == ScalarType::kInt32 ||
         type == ScalarType::kInt64;
}

ScalarType SignedOfSize(uint32_t bytes) {
  if (bytes <= 1) return ScalarType::kInt8;
  if (bytes == 2) return ScalarType::kInt16;
  return bytes == 4 ? ScalarType::kInt32 : ScalarType::kInt64;
}

// The larger one; an unsigned one as large as the signed one needs the next signed size.
ScalarType PromotedIntegers(ScalarType a, ScalarType b) {
  if (IsSigned(a) == IsSigned(b)) return ElementSize(a) >= ElementSize(b) ? a : b;
  const ScalarType with_sign = IsSigned(a) ? a : b;
  const ScalarType without = IsSigned(a) ? b : a;
  if (ElementSize(with_sign) > ElementSize(without)) return with_sign;
  return SignedOfSize(2 * ElementSize(without));
}

}  // namespace

int Category(ScalarType type) {
  if (type == ScalarType::kBool) return 0;
  if (IsInteger(type)) return 1;
  return IsFloat(type) ? 2 : 3;
}

Types SameAsFirst(const TypeCall& call) {
  return OneResult(TensorAt(call, 0));
}

Types OneResult(TensorType type) {
  std::vector<TensorType> types;
  types.push_back(std::move(type));
  return types;
}

Types OneResult(ScalarType dtype, SizeList sizes) {
  return OneResult(TensorType{dtype, std::move(sizes)});
}

SizesOrFault Broadcast(SizeList a, std::span<const SizeExpr> b) {
  if (a.size() < b.size()) a.insert(a.begin(), b.size() - a.size(), SizeExpr(1));
  const std::span<SizeExpr> last = std::span(a).last(b.size());
  for (size_t d = 0; d < b.size(); ++d) {
    if (last[d].Is(1)) {
      last[d] = b[d];
    } else if (!b[d].Is(1) && last[d] != b[d]) {
      return std::string("the operands' sizes do not broadcast");
    }
  }
  return a;
}

ScalarType Promoted(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (Category(a) != Category(b)) return Category(a) > Category(b) ? a : b;
  if (Category(a) == 1) return PromotedIntegers(a, b);
  // float16 and bfloat16 have no common 16-bit type.
  if (ElementSize(a) == ElementSize(b)) return ScalarType::kFloat32;
  return ElementSize(a) > ElementSize(b) ? a : b;
}

ScalarType PromotedWithNumber(ScalarType tensor, Number::Kind number) {
  if (static_cast<int>(number) <= Category(tensor)) return tensor;
  return number == Number::Kind::kReal ? ScalarType::kFloat32 : ScalarType::kInt64;
}

ScalarType FloatOf(ScalarType type) {
  return Category(type) < 2 ? ScalarType::kFloat32 : type;
}

SizeList Reduced(std::span<const SizeExpr> sizes, const std::vector<bool>& dims, bool keep) {
  SizeList reduced;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!dims[d]) reduced.push_back(sizes[d]);
    if (dims[d] && keep) reduced.emplace_back(1);
  }
  return reduced;
}

std::optional<std::vector<bool>> MarkedDimensions(std::span<const int64_t> dims, int64_t rank) {
  // A tensor without dimensions has one that may be named.
  std::vector<bool> marked(static_cast<size_t>(std::max<int64_t>(rank, 1)), dims.empty());
  for (const int64_t dim : dims) {
    const auto d = Dimension(dim, rank);
    if (!d || marked[static_cast<size_t>(*d)]) return std::nullopt;
    marked[static_cast<size_t>(*d)] = true;
  }
  return marked;
}

}  // namespace pteproof
