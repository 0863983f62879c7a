// What the runtime itself has for tensors: the rows that a loop collects, and views.
#include <algorithm>
#include <array>
#include <limits>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// Whether a row is one piece of memory, laid out as `row` is: it is copied as bytes.
bool LiesByRows(const TensorRef& whole, const TensorRef& row) {
  const auto shifted = [](int32_t in_whole, int32_t in_row) { return in_whole == in_row + 1; };
  return whole.dim_order.empty() ||
         (whole.dim_order[0] == 0 &&
          std::ranges::equal(whole.dim_order.subspan(1), row.dim_order, shifted));
}

// copy_to has as many rows as were copied so far: the index and those before it.
KernelStatus SizesOfRows(const KernelCall& call) {
  TensorRef& to = TensorAt(call, 0);
  const TensorRef& row = TensorAt(call, 1);
  const int64_t index = IntAt(call, 2);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (index < 0) return "the index is negative";
  if (to.rank() != row.rank() + 1) return "copy_from is not a row of copy_to";
  if (!LiesByRows(to, row)) return "copy_from is not laid out as a row of copy_to is";
  if (index >= kMost) return "the index is out of range";
  std::array<int64_t, kMaxRank> sizes = {};
  for (size_t d = 0; d < row.rank(); ++d) {
    if (to.sizes[d + 1] != row.sizes[d]) return "copy_from has other sizes than a row of copy_to";
    sizes[d + 1] = row.sizes[d];
  }
  sizes[0] = index + 1;
  if (!to.bounded && to.sizes[0] != sizes[0]) {
    return "copy_to has static sizes, and would get other ones: it takes its last row alone";
  }
  if (ElementSize(row.dtype) > ElementSize(to.dtype) && ElementCount(row) > 0) {
    return "copy_from has wider elements than copy_to, and its bytes have no room in a row";
  }
  return Resize(to, std::span(sizes).first(to.rank()));
}

// Bytes, whatever the element types are.
KernelStatus CopyRow(const KernelCall& call) {
  const TensorRef& to = TensorAt(call, 0);
  const TensorRef& from = TensorAt(call, 1);
  const int64_t index = IntAt(call, 2);
  if (from.dtype != to.dtype) {
    const auto bytes = static_cast<int64_t>(ByteCount(from));
    const Region source = {ScalarType::kUInt8, from.pointer(), 1, {{bytes}}, {{1}}};
    Region target = source;
    target.data = to.pointer() + WrappedProduct(index, bytes);
    CopyRegion(source, target);
    return nullptr;
  }
  Region row = WholeOf(to);
  Select(row, 0, index);
  CopyRegion(WholeOf(from), row);
  return nullptr;
}

// Another name of self's bytes, with the sizes asked for.
KernelStatus View(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  TensorRef& out = OutOf(call);
  const auto asked = call.args[1]->items;
  if (asked.size() > kMaxRank) return kTooManyDimensions;
  if (self.dtype != out.dtype) return "the view has another element type than its base";
  SizeArray sizes = {};
  int64_t known = 1;
  int64_t* open = nullptr;
  for (size_t d = 0; d < asked.size(); ++d) {
    sizes[d] = asked[d]->integer;
    if (sizes[d] < -1) return "a size is negative";
    if (sizes[d] == -1) {
      if (open != nullptr) return "two sizes are open";
      open = &sizes[d];
    } else if (__builtin_mul_overflow(known, sizes[d], &known)) {
      return "a size is out of range";
    }
  }
  if (open != nullptr && known == 0) return "the size for -1 is open";
  if (open != nullptr) *open = ElementCount(self) / known;
  return LieOver(out, self, std::span(sizes).first(asked.size()));
}

constexpr Kernel kRowKernels[] = {
    {"executorch_prim::et_copy_index.tensor", SizesOfRows, CopyRow},
    {"executorch_prim::et_view.default", nullptr, View},
};

}  // namespace

std::span<const Kernel> RowKernels() {
  return kRowKernels;
}

}  // namespace pteproof::kernels
