// What an operator is to the runtime: a function that gives its results their sizes, and one that
// computes them. Kernels allocate nothing; what they need for a while is lent to them.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/checked_math.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/run_value.h"
#include "runtime/kernels/base/scratch.h"

namespace pteproof {

// Null: done. Else why not, in words that go on after the operator's name.
using KernelStatus = const char*;

struct KernelCall {
  const OpSchema& schema;
  CheckedSpan<RunValue* const> args;  // those of the schema, of the kinds that it wants
  RunValue* result = nullptr;  // of an operator that gives a number: the slot that it goes to
  // Indices that were read from mixed bytes are taken modulo what there is.
  bool wraps_indices = false;
  Scratch* scratch = nullptr;  // of kernels that need memory for a while
};

struct Kernel {
  std::string_view name;  // the operator's full name
  // Sets the sizes of the results. Null: they are those of the file.
  KernelStatus (*resize)(const KernelCall& call) = nullptr;
  // Null: there is no kernel yet.
  KernelStatus (*run)(const KernelCall& call) = nullptr;
  // `resize` reads operands' bytes: what it says holds for one call.
  bool sizes_from_bytes = false;
};

// O(1); null: the operator is unknown.
[[nodiscard]] const Kernel* FindKernel(std::string_view name);

// --- Arguments of a call.

[[nodiscard]] inline TensorRef& TensorAt(const KernelCall& call, size_t a) {
  return *call.args[a]->tensor;
}
// The last argument: memory for the result, where there is one result.
[[nodiscard]] inline TensorRef& OutOf(const KernelCall& call) {
  return *call.args.back()->tensor;
}
// Null for None.
[[nodiscard]] inline TensorRef* TensorOrNull(const KernelCall& call, size_t a) {
  return call.args[a]->kind == ValueKind::kTensor ? call.args[a]->tensor : nullptr;
}
[[nodiscard]] inline bool IsNone(const KernelCall& call, size_t a) {
  return call.args[a]->kind == ValueKind::kNull;
}
[[nodiscard]] inline int64_t IntOf(const RunValue& value) {
  return value.kind == ValueKind::kDouble ? TruncatedInt(value.real) : value.integer;
}
[[nodiscard]] inline int64_t IntAt(const KernelCall& call, size_t a) {
  return IntOf(*call.args[a]);
}
// The tensor that item i of a list is; null for None.
[[nodiscard]] inline TensorRef* ItemAt(const RunValue& list, size_t i) {
  return list.items[i] == nullptr ? nullptr : list.items[i]->tensor;
}

// The tensors in a value: itself, or those that a list has.
template <class Each>
void ForEachTensor(const RunValue& value, const Each& each) {
  if (value.kind == ValueKind::kTensor) return each(*value.tensor);
  if (value.kind != ValueKind::kTensorList && value.kind != ValueKind::kOptionalTensorList) return;
  for (size_t i = 0; i < value.items.size(); ++i) {
    TensorRef* tensor = ItemAt(value, i);
    if (tensor != nullptr) each(*tensor);
  }
}

// The dimension that a number names, from the end where negative; -1: there is none.
[[nodiscard]] inline int64_t DimensionOf(int64_t number, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  if (number < 0) number += count;
  return number >= 0 && number < count ? number : -1;
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_H_
