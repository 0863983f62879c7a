#include "properties/compare/terms/forms.h"

#include <bit>

namespace pteproof::compare {

SymbolicNumber IntNumber(int64_t value) {
  return {SymbolicNumber::Kind::kInt, static_cast<uint64_t>(value)};
}

SymbolicNumber BoolNumber(bool value) {
  return {SymbolicNumber::Kind::kBool, value ? uint64_t{1} : uint64_t{0}};
}

SymbolicNumber RealNumber(double value) {
  return {SymbolicNumber::Kind::kReal, std::bit_cast<uint64_t>(value)};
}

int64_t IntOf(const SymbolicNumber& number) {
  if (number.kind != SymbolicNumber::Kind::kReal) return static_cast<int64_t>(number.bits);
  return static_cast<int64_t>(std::bit_cast<double>(number.bits));
}

double RealOf(const SymbolicNumber& number) {
  if (number.kind == SymbolicNumber::Kind::kReal) return std::bit_cast<double>(number.bits);
  return static_cast<double>(static_cast<int64_t>(number.bits));
}

uint64_t TensorShape::nbytes() const {
  return static_cast<uint64_t>(ElementCount(sizes)) * ElementSize(dtype);
}

std::vector<int64_t> StridesOf(const TensorShape& shape) {
  std::vector<int64_t> strides(shape.sizes.size(), 0);
  auto step = static_cast<int64_t>(ElementSize(shape.dtype));
  if (ElementCount(shape.sizes) == 0) return strides;
  for (size_t d = shape.sizes.size(); d-- > 0;) {
    const size_t dim = shape.order.empty() ? d : static_cast<size_t>(shape.order[d]);
    strides[dim] = step;
    step *= shape.sizes[dim];
  }
  return strides;
}

}  // namespace pteproof::compare
