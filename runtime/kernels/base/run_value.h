// Values of a method in a run, as kernels see them. Nothing here owns memory.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "pteproof/program.h"
#include "pteproof/scalar_type.h"

namespace pteproof {

struct TensorRef {
  ScalarType dtype = ScalarType::kUInt8;
  bool bounded = false;        // sizes may change, within `capacity`
  bool read_only = false;      // a constant, or a view of one
  std::byte* data = nullptr;   // null: it has no memory
  uint64_t capacity = 0;       // bytes at the file's sizes
  std::span<int32_t> sizes;    // now
  std::span<int64_t> strides;  // now, in elements
  std::span<const int32_t> dim_order;
  std::span<const int32_t> bounds;  // the file's sizes

  [[nodiscard]] size_t rank() const { return sizes.size(); }
};

struct RunValue {
  ValueKind kind = ValueKind::kNull;
  int64_t integer = 0;  // kInt, kBool
  double real = 0;      // kDouble
  TensorRef* tensor = nullptr;
  // kIntList: numbers; kTensorList; kOptionalTensorList: null for none.
  std::span<RunValue* const> items;
  std::span<const double> reals;   // kDoubleList
  std::span<const int32_t> flags;  // kBoolList
  std::string_view text;           // kString
};

[[nodiscard]] int64_t ElementCount(const TensorRef& tensor);
[[nodiscard]] inline uint64_t ByteCount(const TensorRef& tensor) {
  return static_cast<uint64_t>(ElementCount(tensor)) * ElementSize(tensor.dtype);
}

// Whether elements in row-major order lie one behind the other.
[[nodiscard]] bool IsRowMajor(const TensorRef& tensor);

// Strides of the sizes that it has, by its dim order.
void SetStrides(TensorRef& tensor);

// Gives it other sizes. Null; or why it cannot have them: another rank, a static tensor, more bytes
// than there are.
[[nodiscard]] const char* Resize(TensorRef& tensor, std::span<const int64_t> sizes);

// Gives it the file's sizes.
[[nodiscard]] const char* ResizeToBounds(TensorRef& tensor);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_
