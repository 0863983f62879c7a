// Sizes of results, for operators that run under `hash` only so far.
#include <algorithm>
#include <array>

#include "runtime/kernels/kernel_rows.h"
#include "runtime/kernels/sizes.h"

namespace pteproof::kernels {
namespace {

// Two operands' sizes, counted from the back: equal, or one of them 1.
KernelStatus AsBoth(const KernelCall& call) {
  const TensorRef& a = TensorAt(call, 0);
  const TensorRef& b = TensorAt(call, 1);
  const size_t rank = std::max(a.rank(), b.rank());
  SizeArray sizes = {};
  for (size_t back = 1; back <= rank; ++back) {
    const int64_t left = back <= a.rank() ? a.sizes[a.rank() - back] : 1;
    const int64_t right = back <= b.rank() ? b.sizes[b.rank() - back] : 1;
    if (left != right && left != 1 && right != 1) return "the operands' sizes do not match";
    sizes[rank - back] = left == 1 ? right : left;
  }
  return Resize(OutOf(call), std::span(sizes).first(rank));
}

// Without the dimensions that argument 1 lists (none listed: all), or with 1 in their place.
KernelStatus Reduced(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const bool has_list = call.args[1]->kind == ValueKind::kIntList && !call.args[1]->items.empty();
  const bool keeps = call.args[2]->integer != 0;
  uint32_t reduced = has_list ? 0 : ~0U;
  for (const RunValue* item : call.args[1]->items) {
    const int64_t dim = DimensionOf(item->integer, std::max<size_t>(self.rank(), 1));
    if (dim < 0) return "there is no such dimension";
    reduced |= 1U << dim;
  }
  SizeArray sizes = {};
  size_t rank = 0;
  for (size_t d = 0; d < self.rank(); ++d) {
    const bool goes = (reduced >> d & 1) != 0;
    if (!goes || keeps) sizes[rank++] = goes ? 1 : self.sizes[d];
  }
  return Resize(OutOf(call), std::span(sizes).first(rank));
}

KernelStatus OneElement(const KernelCall& call) {
  return Resize(OutOf(call), {});
}

KernelStatus MatrixProduct(const KernelCall& call) {
  const TensorRef& a = TensorAt(call, 0);
  const TensorRef& b = TensorAt(call, 1);
  if (a.rank() != 2 || b.rank() != 2 || a.sizes[1] != b.sizes[0]) {
    return "the operands' sizes do not match";
  }
  const std::array<int64_t, 2> sizes = {a.sizes[0], b.sizes[1]};
  return Resize(OutOf(call), sizes);
}

constexpr Kernel kShapedKernels[] = {
    {"aten::abs.out", AsFirst},         {"aten::exp.out", AsFirst},
    {"aten::neg.out", AsFirst},         {"aten::relu.out", AsFirst},
    {"aten::sigmoid.out", AsFirst},     {"aten::tanh.out", AsFirst},
    {"aten::_softmax.out", AsFirst},    {"aten::add.Scalar_out", AsFirst},
    {"aten::mul.Scalar_out", AsFirst},  {"aten::lt.Scalar_out", AsFirst},
    {"aten::index_put.out", AsFirst},   {"aten::add.out", AsBoth},
    {"aten::sub.out", AsBoth},          {"aten::mul.out", AsBoth},
    {"aten::maximum.out", AsBoth},      {"aten::minimum.out", AsBoth},
    {"aten::amax.out", Reduced},        {"aten::amin.out", Reduced},
    {"aten::sum.IntList_out", Reduced}, {"aten::any.all_out", OneElement},
    {"aten::full.out", AsListed},       {"aten::mm.out", MatrixProduct},
};

}  // namespace

std::span<const Kernel> ShapedKernels() {
  return kShapedKernels;
}

}  // namespace pteproof::kernels
