// Operators that make a result from sizes and numbers.
#include <array>
#include <cmath>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

// One element over all of the result.
KernelStatus FillFrom(const KernelCall& call, ScalarType dtype, CheckedPointer element) {
  const Region out = WholeOf(ResultOf(call));
  Region value = out;
  value.dtype = dtype;
  value.data = element;
  value.strides = {};
  CopyRegion(value, out);
  return nullptr;
}

KernelStatus FillNumber(const KernelCall& call, const ElementNumber& number) {
  LoneElement element;
  const ScalarType dtype = ResultOf(call).dtype;
  StoreElement(dtype, element.bytes(), number);
  return FillFrom(call, dtype, element.pointer());
}

// With the number, or the tensor of one element, in that argument.
template <size_t kValue>
KernelStatus Fill(const KernelCall& call) {
  const TensorRef* value = TensorOrNull(call, kValue);
  if (value == nullptr) return FillNumber(call, NumberOf(*call.args[kValue]));
  if (ElementCount(*value) != 1) return "the value is not one element";
  return FillFrom(call, value->dtype, value->pointer());
}

KernelStatus FillOnes(const KernelCall& call) {
  return FillNumber(call, {.integer = 1});
}

KernelStatus FillZeros(const KernelCall& call) {
  return FillNumber(call, {});
}

KernelStatus NoSizes(const KernelCall& call) {
  return Resize(OutOf(call), {});
}

struct Range {
  ElementNumber start;
  ElementNumber end;
  ElementNumber step;
};

Range RangeUpTo(const KernelCall& call) {
  return {{}, NumberOf(*call.args[0]), {.integer = 1}};
}

Range RangeFrom(const KernelCall& call) {
  return {NumberOf(*call.args[0]), NumberOf(*call.args[1]), NumberOf(*call.args[2])};
}

double RealOfNumber(const ElementNumber& number) {
  return number.is_real ? number.real : static_cast<double>(number.integer);
}

// How many steps lie before the end.
template <Range (*range_of)(const KernelCall&)>
KernelStatus SizesOfRange(const KernelCall& call) {
  constexpr double kMost = 0x1p31;
  const auto [start, end, step] = range_of(call);
  std::array<int64_t, 1> sizes = {0};
  if (start.is_real || end.is_real || step.is_real) {
    const double count = std::ceil((RealOfNumber(end) - RealOfNumber(start)) / RealOfNumber(step));
    if (!(count < kMost)) return "the range is infinite or too large";
    sizes[0] = count > 0 ? static_cast<int64_t>(count) : 0;
    return Resize(OutOf(call), sizes);
  }
  if (step.integer == 0) return "the step is zero";
  const bool up = step.integer > 0;
  if (up ? start.integer < end.integer : start.integer > end.integer) {
    const auto distance = static_cast<uint64_t>(up ? WrappedDifference(end.integer, start.integer)
                                                   : WrappedDifference(start.integer, end.integer));
    const uint64_t by =
        up ? static_cast<uint64_t>(step.integer) : 0 - static_cast<uint64_t>(step.integer);
    const uint64_t count = (distance - 1) / by + 1;
    if (count >= static_cast<uint64_t>(kMost)) return "the range is infinite or too large";
    sizes[0] = static_cast<int64_t>(count);
  }
  return Resize(OutOf(call), sizes);
}

// start + i * step, in integers where both are.
template <Range (*range_of)(const KernelCall&)>
KernelStatus FillRange(const KernelCall& call) {
  const auto [start, end, step] = range_of(call);
  const Region out = WholeOf(ResultOf(call));
  const bool real = start.is_real || step.is_real;
  for (int64_t i = 0; i < out.sizes[0]; ++i) {
    ElementNumber number;
    number.is_real = real;
    number.integer = WrappedSum(start.integer, WrappedProduct(i, step.integer));
    number.real = RealOfNumber(start) + static_cast<double>(i) * RealOfNumber(step);
    StoreElement(out.dtype, out.data + i * out.strides[0], number);
  }
  return nullptr;
}

constexpr Kernel kCreateKernels[] = {
    {"aten::full.out", AsListed, Fill<1>},
    {"aten::full_like.out", AsFirst, Fill<1>},
    {"aten::fill.Scalar_out", AsFirst, Fill<1>},
    {"aten::fill.Tensor_out", AsFirst, Fill<1>},
    {"aten::fill_.Scalar", nullptr, Fill<1>},
    {"aten::fill_.Tensor", nullptr, Fill<1>},
    {"aten::zero_", nullptr, FillZeros},
    {"aten::ones.out", AsListed, FillOnes},
    // Any bytes are right: these are the same in every run.
    {"aten::empty.out", AsListed, FillZeros},
    {"dim_order_ops::_empty_dim_order.out", AsListed, FillZeros},
    {"aten::rand.out", AsListed, FillZeros},
    {"aten::randn.out", AsListed, FillZeros},
    {"aten::scalar_tensor.out", NoSizes, Fill<0>},
    {"aten::arange.out", SizesOfRange<RangeUpTo>, FillRange<RangeUpTo>},
    {"aten::arange.start_out", SizesOfRange<RangeFrom>, FillRange<RangeFrom>},
};

}  // namespace

std::span<const Kernel> CreateKernels() {
  return kCreateKernels;
}

}  // namespace pteproof::kernels
