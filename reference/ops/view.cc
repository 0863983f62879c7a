// Copies that keep the linear order: to another element type, memory format or device, or with
// other sizes.
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

std::string Copy(const Call& call, std::span<TensorValue> results) {
  return CopyAll(TensorAt(call, 0), results[0]);
}

// The sizes asked for, of which one may be -1: what the others leave.
Types ViewType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto asked = IntsAt(call, 1);
  SizeList sizes(asked.begin(), asked.end());
  SizeExpr* open = nullptr;
  SizeExpr known(1);
  for (SizeExpr& size : sizes) {
    const int64_t number = size.Constant().value_or(0);
    if (number < -1) return std::string("a size is negative");
    if (number >= 0) {
      known = known * size;
    } else if (open == nullptr) {
      open = &size;
    } else {
      return std::string("two sizes are -1");
    }
  }
  const SizeExpr count = Product(self.sizes);
  if (open != nullptr && known.Is(0)) return std::string("the size for -1 is open");
  if (open != nullptr) *open = FloorDiv(count, known);
  if (!MayBeEqual(Product(sizes), count)) {
    return std::string("the view has another number of elements than self");
  }
  return OneResult(self.dtype, std::move(sizes));
}

Types SqueezeDimType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionAt(call, 1, self.rank());
  if (!dim) return std::string(kNoDimension);
  SizeList sizes;
  for (size_t d = 0; d < self.rank(); ++d) {
    if (d != *dim || !self.sizes[d].Is(1)) sizes.push_back(self.sizes[d]);
  }
  return OneResult(self.dtype, std::move(sizes));
}

// Of the dimensions listed, those of size 1 go.
Types SqueezeDimsType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dims = ConstantsAt(call, 1);
  if (!dims) return std::string(kNoDimension);
  if (dims->empty()) return SameAsFirst(call);
  const auto listed = MarkedDimensions(*dims, static_cast<int64_t>(self.rank()));
  if (!listed) return std::string("a dimension is out of range or listed twice");
  SizeList sizes;
  for (size_t d = 0; d < self.rank(); ++d) {
    if (!(*listed)[d] || !self.sizes[d].Is(1)) sizes.push_back(self.sizes[d]);
  }
  return OneResult(self.dtype, std::move(sizes));
}

Types UnsqueezeType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionAt(call, 1, self.rank() + 1);
  if (!dim) return std::string(kNoDimension);
  SizeList sizes = self.sizes;
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(*dim), SizeExpr(1));
  return OneResult(self.dtype, std::move(sizes));
}

// The element type of the parts of a complex number.
ScalarType PartOf(ScalarType complex) {
  if (complex == ScalarType::kComplex32) return ScalarType::kFloat16;
  return complex == ScalarType::kComplex64 ? ScalarType::kFloat32 : ScalarType::kFloat64;
}

Types AsRealType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  if (!IsComplex(self.dtype)) return std::string("self is not complex");
  SizeList sizes = self.sizes;
  sizes.emplace_back(2);
  return OneResult(PartOf(self.dtype), std::move(sizes));
}

std::string AsReal(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  ForEachElement(ElementCount(self), [&](int64_t i) {
    SetReal(results[0], 2 * i, ComplexAt(self, i).real());
    SetReal(results[0], 2 * i + 1, ComplexAt(self, i).imag());
  });
  return {};
}

// The element type of _to_copy and _to_dim_order_copy stands nowhere but in the out tensor.
constexpr OpMeaning kViewMeanings[] = {
    Exact("aten::alias_copy.out", SameAsFirst, Copy),
    Exact("aten::detach_copy.out", SameAsFirst, Copy),
    Exact("aten::lift_fresh_copy.out", SameAsFirst, Copy),
    Exact("aten::clone.out", SameAsFirst, Copy),
    Exact("aten::_to_copy.out", SameAsFirst, Copy),
    Exact("dim_order_ops::_to_dim_order_copy.out", SameAsFirst, Copy),
    Exact("dim_order_ops::_clone_dim_order.out", SameAsFirst, Copy),
    Exact("et_copy::_h2d_copy.out", SameAsFirst, Copy),
    Exact("et_copy::_d2h_copy.out", SameAsFirst, Copy),
    Exact("aten::view_copy.out", ViewType, Copy),
    Exact("aten::squeeze_copy.dim_out", SqueezeDimType, Copy),
    Exact("aten::squeeze_copy.dims_out", SqueezeDimsType, Copy),
    Exact("aten::unsqueeze_copy.out", UnsqueezeType, Copy),
    Exact("aten::view_as_real_copy.out", AsRealType, AsReal),
};

}  // namespace

std::span<const OpMeaning> ViewMeanings() {
  return kViewMeanings;
}

}  // namespace pteproof
