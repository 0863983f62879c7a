// Calls of single kernels, on tensors with memory of their own.
#ifndef PTEPROOF_TESTS_RUNTIME_KERNEL_ARGUMENTS_H_
#define PTEPROOF_TESTS_RUNTIME_KERNEL_ARGUMENTS_H_

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"

namespace pteproof {

template <class T>
[[nodiscard]] ScalarType TypeOf();
template <>
inline ScalarType TypeOf<float>() {
  return ScalarType::kFloat32;
}
template <>
inline ScalarType TypeOf<int64_t>() {
  return ScalarType::kInt64;
}
template <>
inline ScalarType TypeOf<int8_t>() {
  return ScalarType::kInt8;
}
template <>
inline ScalarType TypeOf<uint8_t>() {
  return ScalarType::kBool;
}
template <>
inline ScalarType TypeOf<std::complex<float>>() {
  return ScalarType::kComplex64;
}

// A tensor with memory of its own.
struct OwnTensor {
  TensorRef ref;
  std::vector<int32_t> sizes;
  std::vector<int32_t> bounds;
  std::vector<int64_t> strides;
  std::vector<int32_t> dim_order;
  std::vector<std::byte> memory;
};

// Arguments of one call, in the order in which they are added. Tensors lie `offset` bytes behind an
// address that is aligned for their elements.
class Arguments {
 public:
  explicit Arguments(size_t offset = 1) : offset_(offset) {}

  template <class T>
  TensorRef& Add(std::vector<int32_t> sizes, const std::vector<T>& elements) {
    OwnTensor& own = tensors_.emplace_back();
    own.memory.resize(elements.size() * sizeof(T) + offset_);
    if (!elements.empty()) {
      std::memcpy(own.memory.data() + offset_, elements.data(), elements.size() * sizeof(T));
    }
    own.sizes = std::move(sizes);
    own.strides.resize(own.sizes.size());
    own.dim_order.resize(own.sizes.size());
    std::iota(own.dim_order.begin(), own.dim_order.end(), 0);
    own.bounds = own.sizes;
    own.ref.dtype = TypeOf<T>();
    own.ref.bounded = true;
    own.ref.nbytes = elements.size() * sizeof(T);
    own.ref.sizes = own.sizes;
    own.ref.strides = own.strides;
    own.ref.dim_order = own.dim_order;
    own.ref.bounds = own.bounds;
    SetHome(own.ref, MemoryExtent(std::span(own.memory).subspan(offset_), &scratch_.work()));
    SetStrides(own.ref);
    args_.push_back(&NewValue(ValueKind::kTensor));
    args_.back()->tensor = &own.ref;
    return own.ref;
  }
  void Add(int64_t number) { args_.push_back(&NewInt(number)); }
  void Add(double number) {
    args_.push_back(&NewValue(ValueKind::kDouble));
    args_.back()->real = number;
  }
  void Add(bool flag) {
    args_.push_back(&NewValue(ValueKind::kBool));
    args_.back()->integer = flag ? 1 : 0;
  }
  void AddNone() { args_.push_back(&NewValue(ValueKind::kNull)); }
  void AddList(const std::vector<int64_t>& numbers) {
    auto& items = lists_.emplace_back();
    for (const int64_t number : numbers) items.push_back(&NewInt(number));
    args_.push_back(&NewValue(ValueKind::kIntList));
    args_.back()->items = items;
  }
  void AddFlags(const std::vector<bool>& flags) {
    auto& held = flags_.emplace_back(flags.begin(), flags.end());
    args_.push_back(&NewValue(ValueKind::kBoolList));
    args_.back()->flags = held;
  }
  // The tensor added last, as the only item of a list.
  void WrapLast() {
    auto& items = lists_.emplace_back();
    items.push_back(args_.back());
    args_.back() = &NewValue(ValueKind::kOptionalTensorList);
    args_.back()->items = items;
  }

  // Empty; or why not.
  [[nodiscard]] std::string Run(std::string_view name) {
    const Kernel* kernel = FindKernel(name);
    const OpSchema* schema = FindOperator(name);
    if (kernel == nullptr || schema == nullptr) return "unknown";
    EXPECT_EQ(args_.size(), schema->args.size());
    const KernelCall call = {*schema, args_, nullptr, false, &scratch_};
    KernelStatus status = kernel->resize != nullptr ? kernel->resize(call) : nullptr;
    if (status == nullptr) status = kernel->run(call);
    return status == nullptr ? "" : status;
  }

 private:
  RunValue& NewValue(ValueKind kind) {
    RunValue& value = values_.emplace_back();
    value.kind = kind;
    return value;
  }
  RunValue& NewInt(int64_t number) {
    RunValue& value = NewValue(ValueKind::kInt);
    value.integer = number;
    return value;
  }

  size_t offset_;
  Scratch scratch_;
  std::deque<OwnTensor> tensors_;
  std::deque<RunValue> values_;
  std::deque<std::vector<RunValue*>> lists_;
  std::deque<std::vector<int32_t>> flags_;
  std::vector<RunValue*> args_;
};

template <class T>
[[nodiscard]] std::vector<T> Elements(const TensorRef& tensor) {
  std::vector<T> elements(static_cast<size_t>(ElementCount(tensor)));
  if (!elements.empty()) {
    std::memcpy(elements.data(), tensor.memory().bytes().data(), elements.size() * sizeof(T));
  }
  return elements;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_RUNTIME_KERNEL_ARGUMENTS_H_
