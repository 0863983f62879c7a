// Operators that go element by element: operands of any types are loaded in blocks as what they are
// computed in, and spread over the result's sizes. Element i of every operand is read before
// element i of the result is written, so that an operand may lie under the result.
#ifndef PTEPROOF_RUNTIME_KERNELS_ELEMENTWISE_ELEMENTWISE_H_
#define PTEPROOF_RUNTIME_KERNELS_ELEMENTWISE_ELEMENTWISE_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/promotion.h"

namespace pteproof::kernels {

inline constexpr size_t kMostOperands = 3;

// What an operator does to a block of elements that are of one type already.
struct BlockOp {
  const void* state = nullptr;
  void (*apply)(const void* state, const std::array<const void*, kMostOperands>& in, void* out,
                int64_t count) = nullptr;
  bool gives_bool = false;
};

// By what the elements are computed in; a null `apply`: the operator is not defined for them.
struct BlockOps {
  BlockOp single;  // float32 only
  BlockOp real;
  BlockOp integer;
  BlockOp complex;
};

struct ElementTypes {
  ScalarType computed;  // operands are converted to it
  ScalarType stored;    // what is computed is rounded to it, before the result's own type
};

// The tensor that a call writes: self of an operator that mutates it.
[[nodiscard]] inline TensorRef& ResultOf(const KernelCall& call) {
  return call.schema.in_place ? TensorAt(call, 0) : OutOf(call);
}

// A number as elements of that type.
[[nodiscard]] ElementNumber NumberOf(const RunValue& value);

[[nodiscard]] KernelStatus RunBlocks(const KernelCall& call, std::span<const size_t> operands,
                                     ElementTypes types, const BlockOps& ops);

// --- From operators on elements to operators on blocks.

template <class Op, class T, size_t kCount>
concept Takes =
    (kCount == 1 && requires(const Op& op, T x) { op.template operator()<T>(x); }) ||
    (kCount == 2 && requires(const Op& op, T x) { op.template operator()<T>(x, x); }) ||
    (kCount == 3 && requires(const Op& op, T x) { op.template operator()<T>(x, x, x); });

// Operators on one element that are quicker for many at a time.
template <class Op, class T>
concept TakesBlocks =
    requires(const Op& op, const T* from, T* to, int64_t count) { op.ForBlock(from, to, count); };

template <class Op, class T, size_t... kOperand>
[[nodiscard]] BlockOp BlockOpOf(const Op& op, std::index_sequence<kOperand...>) {
  if constexpr (Takes<Op, T, sizeof...(kOperand)>) {
    using Given = decltype(op((void(kOperand), T{})...));
    constexpr bool kGivesBool = std::is_same_v<Given, bool>;
    using Stored = std::conditional_t<kGivesBool, bool, T>;
    const auto apply = [](const void* state, const std::array<const void*, kMostOperands>& in,
                          void* out, int64_t count) {
      const Op& each = *static_cast<const Op*>(state);
      auto* to = static_cast<Stored*>(out);
      if constexpr (TakesBlocks<Op, T>) {
        return each.ForBlock(static_cast<const T*>(in[0]), to, count);
      }
      for (int64_t i = 0; i < count; ++i) {
        to[i] = static_cast<Stored>(each(static_cast<const T*>(in[kOperand])[i]...));
      }
    };
    return {&op, apply, kGivesBool};
  } else {
    return {};
  }
}

template <size_t kCount, class Op>
[[nodiscard]] BlockOps BlockOpsOf(const Op& op) {
  constexpr auto kOperands = std::make_index_sequence<kCount>();
  return {BlockOpOf<Op, float>(op, kOperands), BlockOpOf<Op, double>(op, kOperands),
          BlockOpOf<Op, int64_t>(op, kOperands), BlockOpOf<Op, Complex>(op, kOperands)};
}

template <size_t... kOperand, class Op>
[[nodiscard]] KernelStatus Combine(const KernelCall& call, ElementTypes types, const Op& op) {
  constexpr std::array<size_t, sizeof...(kOperand)> kOperands = {kOperand...};
  return RunBlocks(call, kOperands, types, BlockOpsOf<sizeof...(kOperand)>(op));
}

template <size_t... kOperand>
[[nodiscard]] ScalarType CommonOf(const KernelCall& call) {
  constexpr std::array<size_t, sizeof...(kOperand)> kOperands = {kOperand...};
  // Mostly there is but one.
  const TensorRef* first = TensorOrNull(call, kOperands[0]);
  const auto has_type_of_first = [&](size_t a) {
    const TensorRef* tensor = TensorOrNull(call, a);
    return tensor != nullptr && tensor->dtype == first->dtype;
  };
  if (first != nullptr && (has_type_of_first(kOperand) && ...)) return first->dtype;
  return CommonType(call, kOperands);
}

// --- Kernels of operators without further arguments. `kOp`: a lambda over elements, for those
// types that it takes; only its type is used, since not every linker knows objects of it. InCommon
// gives the operands' common type, InFloat computes floats even of integers, ToBool answers a
// question.

template <auto kOp, size_t... kOperand>
KernelStatus InCommon(const KernelCall& call) {
  const ScalarType common = CommonOf<kOperand...>(call);
  const decltype(kOp) op{};
  return Combine<kOperand...>(call, {common, common}, op);
}

template <auto kOp, size_t... kOperand>
KernelStatus InFloat(const KernelCall& call) {
  const ScalarType type = FloatOf(CommonOf<kOperand...>(call));
  const decltype(kOp) op{};
  return Combine<kOperand...>(call, {type, type}, op);
}

template <auto kOp, size_t... kOperand>
KernelStatus ToBool(const KernelCall& call) {
  const decltype(kOp) op{};
  return Combine<kOperand...>(call, {CommonOf<kOperand...>(call), ScalarType::kBool}, op);
}

// --- Sizes.

[[nodiscard]] KernelStatus ResizeSpread(const KernelCall& call, std::span<const size_t> operands);

// Those that the operands, tensors or numbers, are spread to.
template <size_t... kOperand>
KernelStatus AsSpread(const KernelCall& call) {
  constexpr std::array<size_t, sizeof...(kOperand)> kOperands = {kOperand...};
  return ResizeSpread(call, kOperands);
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_ELEMENTWISE_ELEMENTWISE_H_
