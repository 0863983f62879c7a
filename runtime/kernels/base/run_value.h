// Values of a method in a run, as kernels see them. Nothing here owns memory.
//
// A tensor's memory is set by the functions here and by nothing else. Its home is where the plan
// has it; during a call it may be lent to a view, or be the caller's.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "pteproof/program.h"
#include "pteproof/scalar_type.h"
#include "runtime/kernels/base/call_fault.h"
#include "runtime/kernels/base/checked_pointer.h"

namespace pteproof {

// Known by its address.
inline constexpr char kUnplacedTensor[] = "a tensor has no memory";

struct TensorRef {
  ScalarType dtype = ScalarType::kUInt8;
  bool bounded = false;  // sizes may change, within its memory
  uint64_t nbytes = 0;   // at the file's sizes
  // How often it occurs in the call at hand: a tensor that occurs twice keeps its sizes.
  uint32_t uses = 0;
  CheckedSpan<int32_t> sizes;    // now
  CheckedSpan<int64_t> strides;  // now, in elements
  CheckedSpan<const int32_t> dim_order;
  CheckedSpan<const int32_t> bounds;  // the file's sizes

  [[nodiscard]] size_t rank() const { return sizes.size(); }
  [[nodiscard]] const MemoryExtent& memory() const { return memory_; }
  [[nodiscard]] CheckedPointer pointer() const { return CheckedPointer(memory_); }

 private:
  friend void SetHome(TensorRef& tensor, const MemoryExtent& memory);
  friend void GoHome(TensorRef& tensor);
  friend void LieIn(TensorRef& tensor, const MemoryExtent& memory);
  friend const char* LieOver(TensorRef& view, const TensorRef& base,
                             std::span<const int64_t> sizes);

  MemoryExtent memory_;  // now
  MemoryExtent home_;    // before each call
};

// Where the plan has it. Of what is given, a tensor takes the bytes of the file's sizes.
void SetHome(TensorRef& tensor, const MemoryExtent& memory);
// As before each call, with the file's sizes.
void GoHome(TensorRef& tensor);
// For the call that comes: memory of the caller.
void LieIn(TensorRef& tensor, const MemoryExtent& memory);

// Gives it those sizes over the bytes of `base`, for the rest of the call. Null; or why it cannot
// lie there: as Resize, or base has no memory, or another number of bytes. Then nothing changes.
[[nodiscard]] const char* LieOver(TensorRef& view, const TensorRef& base,
                                  std::span<const int64_t> sizes);

struct RunValue {
  ValueKind kind = ValueKind::kNull;
  int64_t integer = 0;  // kInt, kBool
  double real = 0;      // kDouble
  TensorRef* tensor = nullptr;
  // kIntList: numbers; kTensorList; kOptionalTensorList: null for none.
  CheckedSpan<RunValue* const> items;
  CheckedSpan<const double> reals;   // kDoubleList
  CheckedSpan<const int32_t> flags;  // kBoolList
  std::string_view text;             // kString
};

[[nodiscard]] int64_t ElementCount(const TensorRef& tensor);
[[nodiscard]] inline uint64_t ByteCount(const TensorRef& tensor) {
  return static_cast<uint64_t>(ElementCount(tensor)) * ElementSize(tensor.dtype);
}

// Whether elements in row-major order lie one behind the other.
[[nodiscard]] bool IsRowMajor(const TensorRef& tensor);

// Strides of the sizes that it has, by its dim order.
void SetStrides(TensorRef& tensor);

// Whether there are bytes for its elements.
[[nodiscard]] bool HasMemory(const TensorRef& tensor);

// Gives it other sizes. Null; or why it cannot have them: another rank, a static tensor, one that
// the call reads too, more bytes than there are.
[[nodiscard]] const char* Resize(TensorRef& tensor, std::span<const int64_t> sizes);

// Gives it the file's sizes.
[[nodiscard]] const char* ResizeToBounds(TensorRef& tensor);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_RUN_VALUE_H_
