// Copies of all elements in their order: other sizes, another element type, another memory format.
#include <array>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// All of it is one row.
void CopyRow(const TensorRef& self, const TensorRef& out) {
  const auto row = [](const TensorRef& tensor) {
    return Region{tensor.dtype,
                  tensor.pointer(),
                  1,
                  {{ElementCount(tensor)}},
                  {{static_cast<int64_t>(ElementSize(tensor.dtype))}}};
  };
  CopyRegion(row(self), row(out));
}

KernelStatus AsFirstOfItsType(const KernelCall& call) {
  const bool alike = TensorAt(call, 0).dtype == OutOf(call).dtype;
  return alike ? AsFirst(call) : "the result has another element type than its operand";
}

KernelStatus Copy(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const TensorRef& out = OutOf(call);
  if (ElementCount(self) != ElementCount(out)) return "the numbers of elements differ";
  if (self.dtype == out.dtype && IsRowMajor(self) && IsRowMajor(out)) {
    // What is there already is work, too: a call takes as much wherever its tensors lie.
    const bool there = self.pointer().address() == out.pointer().address();
    if (there) call.scratch->work().Take(ElementCount(out));
    if (!there) CopyRow(self, out);
    return nullptr;
  }
  CopyRegion(WholeOf(self), WholeOf(out));
  return nullptr;
}

// The sizes asked for, of which one may be -1: what the others leave.
KernelStatus AsAsked(const KernelCall& call) {
  SizeArray sizes = {};
  const auto asked = call.args[1]->items;
  if (asked.size() > kMaxRank) return kTooManyDimensions;
  int64_t known = 1;
  int64_t* open = nullptr;
  for (size_t d = 0; d < asked.size(); ++d) {
    sizes[d] = asked[d]->integer;
    if (sizes[d] < -1 || (sizes[d] == -1 && open != nullptr)) return "a size is negative";
    if (sizes[d] == -1) {
      open = &sizes[d];
    } else if (__builtin_mul_overflow(known, sizes[d], &known)) {
      return "a size is out of range";
    }
  }
  const int64_t count = ElementCount(TensorAt(call, 0));
  if (open != nullptr && (known == 0 || count % known != 0)) return "the size for -1 is open";
  if (open != nullptr) *open = count / known;
  return Resize(OutOf(call), std::span(sizes).first(asked.size()));
}

// Self's sizes without those dimensions, of which only those of size 1 go.
template <class Goes>
KernelStatus Squeezed(const KernelCall& call, const Goes& goes) {
  SizeArray sizes = {};
  size_t rank = 0;
  const TensorRef& self = TensorAt(call, 0);
  for (size_t d = 0; d < self.rank(); ++d) {
    if (self.sizes[d] != 1 || !goes(d)) sizes[rank++] = self.sizes[d];
  }
  return Resize(OutOf(call), std::span(sizes).first(rank));
}

KernelStatus SqueezeOne(const KernelCall& call) {
  const int64_t dim = DimensionOf(IntAt(call, 1), TensorAt(call, 0).rank());
  return Squeezed(call, [&](size_t d) { return static_cast<int64_t>(d) == dim; });
}

KernelStatus SqueezeSome(const KernelCall& call) {
  const size_t rank = TensorAt(call, 0).rank();
  return Squeezed(call, [&](size_t d) {
    for (const RunValue* dim : call.args[1]->items) {
      if (DimensionOf(dim->integer, rank) == static_cast<int64_t>(d)) return true;
    }
    return false;
  });
}

KernelStatus Unsqueeze(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t dim = DimensionOf(IntAt(call, 1), self.rank() + 1);
  if (dim < 0 || self.rank() == kMaxRank) return "the dimension does not exist";
  SizeArray sizes = {};
  for (size_t d = 0; d < self.rank(); ++d) {
    sizes[static_cast<int64_t>(d) < dim ? d : d + 1] = self.sizes[d];
  }
  sizes[static_cast<size_t>(dim)] = 1;
  return Resize(OutOf(call), std::span(sizes).first(self.rank() + 1));
}

// Element by element onto the first operand, over which the second is spread.
KernelStatus CopyOver(const TensorRef& source, const TensorRef& target) {
  if (source.rank() > target.rank()) return "src has more dimensions than self";
  Region from = WholeOf(source);
  const size_t extra = target.rank() - source.rank();
  for (size_t d = target.rank(); d-- > 0;) {
    const bool there = d >= extra;
    const int64_t size = there ? source.sizes[d - extra] : 1;
    if (size != target.sizes[d] && size != 1) return "src cannot be spread over self";
    from.sizes[d] = target.sizes[d];
    from.strides[d] = there && size == target.sizes[d] ? from.strides[d - extra] : 0;
  }
  from.rank = target.rank();
  CopyRegion(from, WholeOf(target));
  return nullptr;
}

KernelStatus CopyInPlace(const KernelCall& call) {
  return CopyOver(TensorAt(call, 1), TensorAt(call, 0));
}

KernelStatus CopyOut(const KernelCall& call) {
  return CopyOver(TensorAt(call, 1), OutOf(call));
}

KernelStatus Zeros(const KernelCall& call) {
  const Region out = WholeOf(OutOf(call));
  Region zero = out;
  const LoneElement element;
  zero.data = element.pointer();
  zero.strides = {};
  CopyRegion(zero, out);
  return nullptr;
}

constexpr Kernel kCopyKernels[] = {
    {"aten::alias_copy.out", AsFirst, Copy},
    {"aten::detach_copy.out", AsFirst, Copy},
    {"aten::lift_fresh_copy.out", AsFirst, Copy},
    {"aten::clone.out", AsFirst, Copy},
    {"aten::_to_copy.out", AsFirst, Copy},
    {"dim_order_ops::_to_dim_order_copy.out", AsFirst, Copy},
    {"dim_order_ops::_clone_dim_order.out", AsFirstOfItsType, Copy},
    {"et_copy::_h2d_copy.out", AsFirst, Copy},
    {"et_copy::_d2h_copy.out", AsFirst, Copy},
    {"llama::fallback.out", AsFirst, Copy},
    {"aten::view_copy.out", AsAsked, Copy},
    {"aten::squeeze_copy.dim_out", SqueezeOne, Copy},
    {"aten::squeeze_copy.dims_out", SqueezeSome, Copy},
    {"aten::unsqueeze_copy.out", Unsqueeze, Copy},
    {"aten::copy.out", AsFirst, CopyOut},
    {"aten::copy_", nullptr, CopyInPlace},
    {"aten::zeros.out", AsListed, Zeros},
};

}  // namespace

std::span<const Kernel> CopyKernels() {
  return kCopyKernels;
}

}  // namespace pteproof::kernels
