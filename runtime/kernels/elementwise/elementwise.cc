#include "runtime/kernels/elementwise/elementwise.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {
namespace {

constexpr size_t kWalked = kMostOperands + 1;  // the result is the last one
constexpr KernelStatus kOtherSizes = "the operands' sizes do not match";

struct Spreading {
  Together<kWalked> walk;
  std::array<ScalarType, kWalked> dtypes;
  std::array<LoneElement, kMostOperands> numbers;
  size_t operands = 0;
};

// Takes a tensor along dimension d of the result, counted from the back: spread where its size
// is 1. False: it does not fit.
bool StrideAlong(const TensorRef& tensor, size_t back, int64_t size, int64_t& stride) {
  stride = 0;
  if (back > tensor.rank()) return true;
  const size_t d = tensor.rank() - back;
  if (tensor.sizes[d] == size) {
    stride = tensor.strides[d] * static_cast<int64_t>(ElementSize(tensor.dtype));
  }
  return tensor.sizes[d] == size || tensor.sizes[d] == 1;
}

// Operands along the result's dimensions; those that are not there are other names of it.
KernelStatus SpreadOperands(const KernelCall& call, std::span<const size_t> operands,
                            ScalarType computed, Spreading& spread) {
  const TensorRef& result = ResultOf(call);
  std::array<const TensorRef*, kWalked> tensors;
  tensors.fill(&result);
  spread.dtypes.fill(result.dtype);
  spread.operands = operands.size();
  spread.walk.data.fill(result.pointer());
  for (size_t k = 0; k < operands.size(); ++k) {
    tensors[k] = TensorOrNull(call, operands[k]);
    if (tensors[k] == nullptr) {
      StoreElement(computed, spread.numbers[k].bytes(), NumberOf(*call.args[operands[k]]));
    } else if (tensors[k]->rank() > result.rank()) {
      return kOtherSizes;
    }
    spread.dtypes[k] = tensors[k] == nullptr ? computed : tensors[k]->dtype;
    spread.walk.data[k] =
        tensors[k] == nullptr ? spread.numbers[k].pointer() : tensors[k]->pointer();
  }
  for (size_t d = 0; d < result.rank(); ++d) {
    const int64_t size = result.sizes[d];
    std::array<int64_t, kWalked> strides = {};
    for (size_t k = 0; k < kWalked; ++k) {
      if (tensors[k] == nullptr) continue;
      if (!StrideAlong(*tensors[k], result.rank() - d, size, strides[k])) return kOtherSizes;
    }
    spread.walk.Add(size, strides);
  }
  return nullptr;
}

template <class T>
void LoadOperand(ScalarType dtype, CheckedPointer from, int64_t stride, int64_t count,
                 ScalarType computed, T* to) {
  if (stride == 0) {
    LoadBlock(dtype, from, 0, 1, to);
    if (dtype != computed) RoundBlock(computed, to, 1);
    std::fill(to + 1, to + count, *to);
    return;
  }
  LoadBlock(dtype, from, stride, count, to);
  if (dtype != computed) RoundBlock(computed, to, count);
}

template <class T>
void StoreResult(T* numbers, int64_t count, ScalarType stored, ScalarType result, CheckedPointer to,
                 int64_t stride) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (result != stored) RoundBlock(stored, numbers, count);
  }
  StoreBlock(result, numbers, count, to, stride);
}

template <class T>
KernelStatus RunAs(const Spreading& spread, ElementTypes types, const BlockOp& op) {
  if (op.apply == nullptr) return "it is not defined for elements of that type";
  std::array<std::array<T, kBlock>, kMostOperands> operands;
  std::array<T, kBlock> numbers;
  std::array<bool, kBlock> flags;
  const std::array<const void*, kMostOperands> in = {operands[0].data(), operands[1].data(),
                                                     operands[2].data()};
  void* out = op.gives_bool ? static_cast<void*>(flags.data()) : numbers.data();
  const ScalarType result = spread.dtypes.back();
  ForEachRun<kBlock>(spread.walk, [&](const auto& at, const auto& strides, int64_t count) {
    for (size_t k = 0; k < spread.operands; ++k) {
      LoadOperand(spread.dtypes[k], at[k], strides[k], count, types.computed, operands[k].data());
    }
    op.apply(op.state, in, out, count);
    if (op.gives_bool) {
      StoreResult(flags.data(), count, types.stored, result, at.back(), strides.back());
    } else {
      StoreResult(numbers.data(), count, types.stored, result, at.back(), strides.back());
    }
  });
  return nullptr;
}

// --- Operands that lie as the result does, or are a single number: no loads and stores by block.

constexpr int64_t kFlatNumbers = 64;             // that a single one is repeated for, at a time
constexpr int64_t kMostFlat = int64_t{1} << 16;  // numbers until the next look for a wish to stop

template <class T>
bool LiesAs(const TensorRef& tensor, ScalarType dtype) {
  return tensor.dtype == dtype && tensor.pointer().address() % alignof(T) == 0;
}

// Sizes and strides are few: a loop over them is shorter than a call.
bool LiesLike(const TensorRef& a, const TensorRef& b) {
  if (a.rank() != b.rank()) return false;
  for (size_t d = 0; d < a.rank(); ++d) {
    if (a.sizes[d] != b.sizes[d] || a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

// The operand's elements in `in`, or `repeated` filled with its only one. False: it is neither.
template <class T>
bool FlatOperand(const KernelCall& call, size_t a, const TensorRef& result,
                 std::array<T, kFlatNumbers>& repeated, const void*& in) {
  const TensorRef* tensor = TensorOrNull(call, a);
  T number = T();
  if (tensor != nullptr) {
    if (!LiesAs<T>(*tensor, kTypeOf<T>)) return false;
    if (LiesLike(*tensor, result)) {
      in = tensor->pointer().Read(sizeof(T), sizeof(T), ElementCount(result));
      return true;
    }
    if (tensor->rank() > result.rank() || ElementCount(*tensor) != 1) return false;
    std::memcpy(&number, tensor->pointer().Read(sizeof number), sizeof number);
  } else {
    std::array<std::byte, 16> slot;
    StoreElement(kTypeOf<T>, slot.data(), NumberOf(*call.args[a]));
    std::memcpy(&number, slot.data(), sizeof number);
  }
  repeated.fill(number);
  in = repeated.data();
  return true;
}

template <class T>
bool RunFlat(const KernelCall& call, std::span<const size_t> operands, ElementTypes types,
             const BlockOp& op) {
  const TensorRef& result = ResultOf(call);
  const ScalarType out_type = op.gives_bool ? ScalarType::kBool : types.stored;
  if (op.apply == nullptr || types.computed != kTypeOf<T> || types.stored != out_type ||
      !LiesAs<T>(result, out_type)) {
    return false;
  }
  std::array<std::array<T, kFlatNumbers>, kMostOperands> repeated;
  std::array<const void*, kMostOperands> in = {};
  bool repeats = false;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!FlatOperand<T>(call, operands[k], result, repeated[k], in[k])) return false;
    repeats = repeats || in[k] == repeated[k].data();
  }
  const int64_t count = ElementCount(result);
  const int64_t step = repeats ? kFlatNumbers : kMostFlat;
  const auto out_size = static_cast<int64_t>(op.gives_bool ? sizeof(bool) : sizeof(T));
  std::byte* out = result.pointer().Write(static_cast<size_t>(out_size), out_size, count);
  for (int64_t first = 0; first < count; first += step) {
    auto at = in;
    for (size_t k = 0; k < operands.size() && first > 0; ++k) {
      if (in[k] != repeated[k].data()) at[k] = static_cast<const T*>(in[k]) + first;
    }
    const int64_t numbers = std::min(step, count - first);
    if (first > 0) call.scratch->work().Take(numbers);
    op.apply(op.state, at, out + first * out_size, numbers);
  }
  return true;
}

}  // namespace

ElementNumber NumberOf(const RunValue& value) {
  if (value.kind == ValueKind::kDouble) return {.is_real = true, .real = value.real};
  return {.integer = value.integer};
}

KernelStatus RunBlocks(const KernelCall& call, std::span<const size_t> operands, ElementTypes types,
                       const BlockOps& ops) {
  if (RunFlat<float>(call, operands, types, ops.single)) return nullptr;
  if (RunFlat<int64_t>(call, operands, types, ops.integer)) return nullptr;
  Spreading spread;
  const KernelStatus status = SpreadOperands(call, operands, types.computed, spread);
  if (status != nullptr) return status;
  if (IsComplexType(types.computed)) return RunAs<Complex>(spread, types, ops.complex);
  if (!IsRealType(types.computed)) return RunAs<int64_t>(spread, types, ops.integer);
  const auto given = std::span(spread.dtypes).first(operands.size());
  const bool single = std::ranges::all_of(given, [](ScalarType dtype) {
    return dtype == ScalarType::kFloat32 || dtype == ScalarType::kBool;
  });
  if (types.computed == ScalarType::kFloat32 && single) {
    return RunAs<float>(spread, types, ops.single);
  }
  return RunAs<double>(spread, types, ops.real);
}

KernelStatus ResizeSpread(const KernelCall& call, std::span<const size_t> operands) {
  TensorRef& out = OutOf(call);
  SizeArray sizes;  // counted from the back
  size_t rank = 0;
  for (const size_t a : operands) {
    const TensorRef* tensor = TensorOrNull(call, a);
    if (tensor == nullptr) continue;
    for (size_t back = 0; back < tensor->rank(); ++back) {
      const int64_t size = tensor->sizes[tensor->rank() - 1 - back];
      if (back >= rank) {
        sizes[back] = size;
      } else if (sizes[back] != size && sizes[back] != 1 && size != 1) {
        return kOtherSizes;
      } else if (sizes[back] == 1) {
        sizes[back] = size;
      }
    }
    rank = std::max(rank, tensor->rank());
  }
  std::reverse(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(rank));
  return Resize(out, std::span(sizes).first(rank));
}

}  // namespace pteproof::kernels
