#include "meaning/same_elements.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace pteproof::meaning {
namespace {

bool IsRowMajor(const Method& method, const Tensor& tensor) {
  return std::ranges::is_sorted(method.Ints(tensor.dim_order));
}

// Whether all sizes within these bounds that a call may have make equal numbers of elements. Those
// of an operand that repeats go over the same dimensions, counted from the last one.
bool AreAsMany(const Method& method, const Read& operand, const Tensor& from, const Tensor& to) {
  if (from.dynamism == Dynamism::kStatic && to.dynamism == Dynamism::kStatic) return true;
  const auto is_one = [](int32_t size) { return size == 1; };
  const auto sizes_of = [&](const Tensor& tensor) {
    return method.Ints(tensor.sizes) | std::views::drop_while(is_one);
  };
  if (operand.repeats) return std::ranges::equal(sizes_of(from), sizes_of(to));
  return std::ranges::equal(sizes_of(from) | std::views::filter(std::not_fn(is_one)),
                            sizes_of(to) | std::views::filter(std::not_fn(is_one)));
}

bool IsCopy(const Method& method, int32_t i) {
  const Instruction& at = method.instructions[static_cast<size_t>(i)];
  return at.kind == InstructionKind::kKernelCall &&
         method.operators[static_cast<size_t>(at.target)].name == "aten::copy_";
}

std::pair<int32_t, int32_t> EndsOfCopy(const MethodFlow& flow, int32_t i) {
  return {flow.effects.ReadsOf(static_cast<size_t>(i)).front().value,
          flow.effects.WritesOf(static_cast<size_t>(i)).front().value};
}

bool HasBytes(const Method& method, int32_t v) {
  const Tensor* tensor = method.TensorOf(v);
  return tensor != nullptr && tensor->nbytes > 0;
}

}  // namespace

bool SameShape(const Method& method, const Tensor& a, const Tensor& b) {
  return std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order));
}

bool GoesElementByElement(const Method& method, const Read& operand, int32_t result) {
  if (!operand.elementwise) return false;
  const Tensor& from = *method.TensorOf(operand.value);
  const Tensor& to = *method.TensorOf(result);
  if (from.nbytes != to.nbytes || ElementSize(from.dtype) != ElementSize(to.dtype)) return false;
  if (SameShape(method, from, to)) return true;
  return IsRowMajor(method, from) && IsRowMajor(method, to) && AreAsMany(method, operand, from, to);
}

bool MayBeRepeated(const MethodFlow& flow, int32_t i, const Read& operand) {
  if (!operand.elementwise) return false;
  if (flow.method.TensorOf(operand.value)->dynamism == Dynamism::kStatic) return false;
  return std::ranges::any_of(flow.effects.ReadsOf(static_cast<size_t>(i)), [&](const Read& other) {
    const Tensor& tensor = *flow.method.TensorOf(other.value);
    return other.value != operand.value && other.elementwise &&
           tensor.nbytes > ElementSize(tensor.dtype);
  });
}

bool IsSelfCopy(const MethodFlow& flow, int32_t i) {
  if (!IsCopy(flow.method, i)) return false;
  const auto [from, to] = EndsOfCopy(flow, i);
  if (!HasBytes(flow.method, to)) return false;
  if (from == to) return true;
  return !flow.PlaceOf(from).empty() && flow.PlaceOf(from) == flow.PlaceOf(to) &&
         GoesElementByElement(flow.method, {from, true, true}, to);
}

bool IsSelfCopyOfNothing(const MethodFlow& flow, int32_t i) {
  if (!IsCopy(flow.method, i)) return false;
  const auto [from, to] = EndsOfCopy(flow, i);
  return from == to && !HasBytes(flow.method, to);
}

}  // namespace pteproof::meaning
