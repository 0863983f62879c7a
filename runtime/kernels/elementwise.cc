#include "runtime/kernels/elementwise.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/sizes.h"
#include "runtime/kernels/walk.h"

namespace pteproof::kernels {
namespace {

constexpr size_t kWalked = kMostOperands + 1;  // the result is the last one
constexpr KernelStatus kOtherSizes = "the operands' sizes do not match";

struct Spreading {
  std::array<Region, kWalked> regions;
  std::array<std::array<std::byte, 16>, kMostOperands> numbers;
  size_t operands = 0;
};

// Operands as regions of the result's sizes; those that are not there are other names of it.
KernelStatus SpreadOperands(const KernelCall& call, std::span<const size_t> operands,
                            ScalarType computed, Spreading& spread) {
  const Region result = WholeOf(ResultOf(call));
  spread.regions.fill(result);
  spread.operands = operands.size();
  for (size_t k = 0; k < operands.size(); ++k) {
    Region& region = spread.regions[k];
    if (const TensorRef* tensor = TensorOrNull(call, operands[k])) {
      region = WholeOf(*tensor);
    } else {
      StoreElement(computed, spread.numbers[k].data(), NumberOf(*call.args[operands[k]]));
      region = {computed, spread.numbers[k].data(), 0, {}, {}};
    }
    if (!Spread(region, result)) return kOtherSizes;
  }
  return nullptr;
}

template <class T>
void LoadOperand(ScalarType dtype, const std::byte* from, int64_t stride, int64_t count,
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
void StoreResult(T* numbers, int64_t count, ScalarType stored, const Region& result, std::byte* to,
                 int64_t stride) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (result.dtype != stored) RoundBlock(stored, numbers, count);
  }
  StoreBlock(result.dtype, numbers, count, to, stride);
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
  const Region& result = spread.regions.back();
  ForEachRun<kBlock>(
      Walked(spread.regions), [&](const auto& at, const auto& strides, int64_t count) {
        for (size_t k = 0; k < spread.operands; ++k) {
          LoadOperand(spread.regions[k].dtype, at[k], strides[k], count, types.computed,
                      operands[k].data());
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

constexpr int64_t kFlatNumbers = 64;  // that a single one is repeated for, at a time

template <class T>
bool LiesAs(const TensorRef& tensor, ScalarType dtype) {
  return tensor.dtype == dtype && reinterpret_cast<uintptr_t>(tensor.data) % alignof(T) == 0;
}

// The operand's elements in `in`, or `repeated` filled with its only one. False: it is neither.
template <class T>
bool FlatOperand(const KernelCall& call, size_t a, const TensorRef& result,
                 std::array<T, kFlatNumbers>& repeated, const void*& in) {
  const TensorRef* tensor = TensorOrNull(call, a);
  T number = T();
  if (tensor != nullptr) {
    if (!LiesAs<T>(*tensor, kTypeOf<T>)) return false;
    in = tensor->data;
    if (std::ranges::equal(tensor->sizes, result.sizes) &&
        std::ranges::equal(tensor->strides, result.strides)) {
      return true;
    }
    if (tensor->rank() > result.rank() || ElementCount(*tensor) != 1) return false;
    std::memcpy(&number, tensor->data, sizeof number);
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
  const int64_t step = repeats ? kFlatNumbers : count;
  const auto out_size = static_cast<int64_t>(op.gives_bool ? sizeof(bool) : sizeof(T));
  for (int64_t first = 0; first < count; first += step) {
    auto at = in;
    for (size_t k = 0; k < operands.size() && first > 0; ++k) {
      if (in[k] != repeated[k].data()) at[k] = static_cast<const T*>(in[k]) + first;
    }
    op.apply(op.state, at, result.data + first * out_size, std::min(step, count - first));
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
  const auto given = std::span(spread.regions).first(operands.size());
  const bool single = std::ranges::all_of(given, [](const Region& region) {
    return region.dtype == ScalarType::kFloat32 || region.dtype == ScalarType::kBool;
  });
  if (types.computed == ScalarType::kFloat32 && single) {
    return RunAs<float>(spread, types, ops.single);
  }
  return RunAs<double>(spread, types, ops.real);
}

KernelStatus ResizeSpread(const KernelCall& call, std::span<const size_t> operands) {
  Region shape = {};
  for (const size_t a : operands) {
    const TensorRef* tensor = TensorOrNull(call, a);
    if (tensor == nullptr) continue;
    const size_t rank = std::max(shape.rank, tensor->rank());
    SizeArray sizes = {};
    for (size_t back = 1; back <= rank; ++back) {
      const int64_t left = back <= shape.rank ? shape.sizes[shape.rank - back] : 1;
      const int64_t right = back <= tensor->rank() ? tensor->sizes[tensor->rank() - back] : 1;
      if (left != right && left != 1 && right != 1) return kOtherSizes;
      sizes[rank - back] = left == 1 ? right : left;
    }
    shape.rank = rank;
    shape.sizes = sizes;
  }
  return ResizeTo(OutOf(call), shape);
}

}  // namespace pteproof::kernels
