#include "tests/executorch/witness/runtime_value.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace pteproof::witness {
namespace {

using executorch::runtime::EValue;

// Calls visit(row_major, place) for each element: its number in row-major order, and its number of
// elements from the start of the memory.
template <class Visit>
void ForEachElement(std::span<const int32_t> sizes, std::span<const int32_t> strides, Visit visit) {
  int64_t count = 1;
  for (const int32_t size : sizes) count *= size;
  std::vector<int32_t> index(sizes.size());
  for (int64_t i = 0, place = 0; i < count; ++i) {
    visit(static_cast<size_t>(i), static_cast<size_t>(place));
    for (size_t d = sizes.size(); d-- > 0;) {
      place += strides[d];
      if (++index[d] < sizes[d]) break;
      place -= int64_t{index[d]} * strides[d];
      index[d] = 0;
    }
  }
}

std::vector<int32_t> StridesOf(std::span<const int32_t> sizes, std::span<const uint8_t> order) {
  std::vector<int32_t> strides(sizes.size());
  int32_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= std::max(sizes[order[i]], 1);
  }
  return strides;
}

void MakeTensor(const TensorValue& from, RuntimeInput& to) {
  to.sizes.assign(from.sizes.begin(), from.sizes.end());
  if (to.dim_order.size() != to.sizes.size()) {
    to.dim_order.resize(to.sizes.size());
    std::iota(to.dim_order.begin(), to.dim_order.end(), uint8_t{0});
  }
  to.strides = StridesOf(to.sizes, to.dim_order);
  to.bytes.resize(from.bytes.size());
  const size_t element = ElementSize(from.dtype);
  ForEachElement(to.sizes, to.strides, [&](size_t row_major, size_t place) {
    std::memcpy(&to.bytes[place * element], &from.bytes[row_major * element], element);
  });
  to.tensor.emplace(static_cast<executorch::runtime::etensor::ScalarType>(from.dtype),
                    static_cast<ssize_t>(to.sizes.size()), to.sizes.data(), to.bytes.data(),
                    to.dim_order.data(), to.strides.data());
  to.value = EValue(executorch::runtime::etensor::Tensor(&*to.tensor));
}

struct Fill {
  RuntimeInput& to;
  void operator()(std::monostate) const {}
  void operator()(const TensorValue& tensor) const { MakeTensor(tensor, to); }
  void operator()(const std::string& text) const {
    to.text = text;
    to.characters.emplace(to.text.data(), to.text.size());
    to.value = EValue(&*to.characters);
  }
  void operator()(auto number) const { to.value = EValue(number); }
};

Result<Datum, std::string> CopyTensor(const executorch::runtime::etensor::Tensor& tensor) {
  TensorValue out;
  out.dtype = static_cast<ScalarType>(tensor.scalar_type());
  out.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  const auto* bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
  if (bytes == nullptr && tensor.nbytes() > 0) return std::string("the output has no memory");
  out.bytes.resize(tensor.nbytes());
  const size_t element = ElementSize(out.dtype);
  const std::span sizes(tensor.sizes().data(), tensor.sizes().size());
  const std::span strides(tensor.strides().data(), tensor.strides().size());
  ForEachElement(sizes, strides, [&](size_t row_major, size_t place) {
    std::memcpy(&out.bytes[row_major * element], bytes + place * element, element);
  });
  return Datum(std::move(out));
}

}  // namespace

std::unique_ptr<RuntimeInput> MakeInput(const Datum& datum, std::vector<uint8_t> dim_order) {
  auto input = std::make_unique<RuntimeInput>();
  input->dim_order = std::move(dim_order);
  std::visit(Fill{*input}, datum);
  return input;
}

Result<Datum, std::string> CopyOutput(const EValue& value) {
  if (value.isNone()) return Datum();
  if (value.isTensor()) return CopyTensor(value.toTensor());
  if (value.isInt()) return Datum(int64_t{value.toInt()});
  if (value.isBool()) return Datum(value.toBool());
  if (value.isDouble()) return Datum(value.toDouble());
  if (value.isString()) return Datum(std::string(value.toString()));
  return std::string("the output is a list");
}

}  // namespace pteproof::witness
