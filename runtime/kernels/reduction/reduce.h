// What reductions share: the dimensions that go, and the elements that each result is made of.
#ifndef PTEPROOF_RUNTIME_KERNELS_REDUCTION_REDUCE_H_
#define PTEPROOF_RUNTIME_KERNELS_REDUCTION_REDUCE_H_

#include <array>
#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

// A bit for each dimension that argument `a` names: a number, a list, or None for all; an empty
// list is all, too.
[[nodiscard]] KernelStatus ReducedDims(const KernelCall& call, size_t a, size_t rank,
                                       uint32_t& dims);

// Self's sizes without those dimensions, or with 1 in their place.
[[nodiscard]] KernelStatus ResizeReduced(TensorRef& out, const TensorRef& self, uint32_t dims,
                                         bool keeps);

// A kernel's sizes. kDim, kKeep: the arguments with dimensions and whether they are kept; from kOut
// on all are results.
template <size_t kDim, size_t kKeep, size_t kOut>
KernelStatus AsReduced(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  uint32_t dims = 0;
  KernelStatus status = ReducedDims(call, kDim, self.rank(), dims);
  const bool keeps = IntAt(call, kKeep) != 0;
  for (size_t a = kOut; a < call.args.size() && status == nullptr; ++a) {
    status = ResizeReduced(TensorAt(call, a), self, dims, keeps);
  }
  return status;
}

// No dimensions are left.
template <size_t kOut>
KernelStatus AsOneElement(const KernelCall& call) {
  return Resize(TensorAt(call, kOut), {});
}

// A tensor's dimensions in two parts: one walk over the results, one over the members of each.
template <size_t kOuts>
struct Groups {
  Together<kOuts + 1> results;  // the first member of each, and the results
  Together<1> members;          // from there
  int64_t size = 1;             // members of a group
};

// The results have as many elements as the dimensions that remain, in their order.
template <size_t kOuts>
[[nodiscard]] Groups<kOuts> GroupsOf(const Region& self, uint32_t dims,
                                     const std::array<Region, kOuts>& outs) {
  Groups<kOuts> groups;
  const size_t rank = outs[0].rank;
  const bool kept = rank == self.rank;  // with 1 in their place
  size_t d_out = 0;
  for (size_t d = 0; d < self.rank; ++d) {
    if ((dims >> d & 1) != 0) {
      groups.members.Add(self.sizes[d], {self.strides[d]});
      groups.size = WrappedProduct(groups.size, self.sizes[d]);
      if (kept) ++d_out;
      continue;
    }
    std::array<int64_t, kOuts + 1> strides = {self.strides[d]};
    for (size_t k = 0; k < kOuts; ++k) strides[k + 1] = d_out < rank ? outs[k].strides[d_out] : 0;
    groups.results.Add(self.sizes[d], strides);
    ++d_out;
  }
  groups.results.data[0] = self.data;
  for (size_t k = 0; k < kOuts; ++k) groups.results.data[k + 1] = outs[k].data;
  return groups;
}

// Calls each(numbers, count) with the members of one group in order, in blocks.
template <class T, class Each>
void ForEachMember(ScalarType dtype, Together<1> members, CheckedPointer first, const Each& each) {
  members.data[0] = first;
  std::array<T, kBlock> numbers;
  ForEachRun<kBlock>(members, [&](const auto& at, const auto& strides, int64_t count) {
    LoadBlock(dtype, at[0], strides[0], count, numbers.data());
    each(numbers.data(), count);
  });
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_REDUCTION_REDUCE_H_
