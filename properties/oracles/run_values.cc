#include "properties/oracles/run_values.h"

#include <algorithm>
#include <cstdint>

#include "base/checked_math.h"
#include "runtime/kernels/base/region.h"

namespace pteproof {
namespace {

// A dense tensor of these sizes, with its strides by the dim order.
Region Dense(ScalarType dtype, std::span<const int64_t> sizes, std::span<const int32_t> dim_order,
             const MemoryExtent& memory) {
  Region region = {dtype, CheckedPointer(memory), sizes.size(), {}, {}};
  // Of a tensor without elements they are 0: products of its sizes need not fit.
  auto stride = std::ranges::count(sizes, 0) > 0 ? 0 : static_cast<int64_t>(ElementSize(dtype));
  std::ranges::copy(sizes, region.sizes.begin());
  for (size_t d = sizes.size(); d-- > 0;) {
    const size_t dim = dim_order.empty() ? d : static_cast<size_t>(dim_order[d]);
    region.strides[dim] = stride;
    stride *= sizes[dim];
  }
  return region;
}

// Whether a tensor has the bytes that its sizes ask for.
bool IsWhole(const TensorValue& tensor) {
  uint64_t bytes = ElementSize(tensor.dtype);
  for (const int64_t size : tensor.sizes) {
    if (size < 0) return false;
    // What does not fit is more than any memory has.
    bytes = CheckedMul(bytes, static_cast<uint64_t>(size)).value_or(UINT64_MAX);
  }
  return bytes == tensor.bytes.size() && tensor.sizes.size() <= kMaxRank;
}

}  // namespace

RunInput InputFor(const Method& method, size_t n, const Datum& datum,
                  std::deque<std::vector<std::byte>>& memory) {
  RunInput input;
  if (const auto* integer = std::get_if<int64_t>(&datum)) {
    input.kind = ValueKind::kInt;
    input.integer = *integer;
  } else if (const auto* flag = std::get_if<bool>(&datum)) {
    input.kind = ValueKind::kBool;
    input.integer = *flag ? 1 : 0;
  } else if (const auto* real = std::get_if<double>(&datum)) {
    input.kind = ValueKind::kDouble;
    input.real = *real;
  } else if (const auto* text = std::get_if<std::string>(&datum)) {
    input.kind = ValueKind::kString;
    input.text = *text;
  } else if (const auto* tensor = std::get_if<TensorValue>(&datum)) {
    input.kind = ValueKind::kTensor;
    input.dtype = tensor->dtype;
    input.sizes = tensor->sizes;
    std::vector<std::byte>& copy = memory.emplace_back(tensor->bytes.begin(), tensor->bytes.end());
    input.data = copy;
    const Tensor* wanted = n < method.inputs.size() ? method.TensorOf(method.inputs[n]) : nullptr;
    if (wanted == nullptr || wanted->sizes.count != tensor->sizes.size()) return input;
    if (!IsWhole(*tensor)) return input;  // as it is, it is refused
    const auto order = method.Ints(wanted->dim_order);
    if (std::ranges::is_sorted(order)) return input;
    const MemoryExtent elements(Bytes(tensor->bytes.data(), tensor->bytes.size()), nullptr);
    const MemoryExtent turned(std::span<std::byte>(copy), nullptr);
    CopyRegion(Dense(tensor->dtype, tensor->sizes, {}, elements),
               Dense(tensor->dtype, tensor->sizes, order, turned));
  }
  return input;
}

Datum DatumOf(const RunValue& output, bool may_view) {
  switch (output.kind) {
    case ValueKind::kInt:
      return output.integer;
    case ValueKind::kBool:
      return output.integer != 0;
    case ValueKind::kDouble:
      return output.real;
    case ValueKind::kString:
      return std::string(output.text);
    case ValueKind::kTensor:
      break;
    default:
      return std::monostate{};
  }
  const TensorRef& tensor = *output.tensor;
  if (may_view && IsRowMajor(tensor)) {
    const Bytes bytes = tensor.memory().bytes().first(ByteCount(tensor));
    return TensorValue{
        tensor.dtype, {tensor.sizes.begin(), tensor.sizes.end()}, TensorBytes::ViewOf(bytes)};
  }
  TensorValue out = Zeros(tensor.dtype, Sizes(tensor.sizes.begin(), tensor.sizes.end()));
  const MemoryExtent copy(std::span<std::byte>(out.bytes.data(), out.bytes.size()), nullptr);
  // Beside the call, whose work is done.
  const MemoryExtent memory(tensor.memory().bytes(), nullptr);
  Region whole = WholeOf(tensor);
  whole.data = CheckedPointer(memory);
  CopyRegion(whole, Dense(tensor.dtype, out.sizes, {}, copy));
  return out;
}

}  // namespace pteproof
