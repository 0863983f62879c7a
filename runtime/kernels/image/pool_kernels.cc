// Pools: means and largest values of windows over images [..., height, width].
#include <array>
#include <cmath>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/image/window.h"
#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

constexpr KernelStatus kBadWindow = "kernel, stride, padding or dilation is out of range";

// The attributes from argument `first` on.
std::optional<Window> PoolWindow(const KernelCall& call, bool dilated, size_t first = 1) {
  if (call.args[first]->items.empty()) return std::nullopt;
  const auto kernel = PairOf(*call.args[first], 2, 1, 1, {});
  if (!kernel) return std::nullopt;
  const auto stride = PairOf(*call.args[first + 1], 2, 1, 1, *kernel);
  const auto padding = PairOf(*call.args[first + 2], 2, 0, 0, {0, 0});
  const auto dilation = dilated ? PairOf(*call.args[first + 3], 2, 1, 1, {1, 1}) : Pair{1, 1};
  if (!stride || !padding || !dilation) return std::nullopt;
  if (2 * (*padding)[0] > (*kernel)[0] || 2 * (*padding)[1] > (*kernel)[1]) return std::nullopt;
  return Window{*kernel, *stride, *padding, *dilation};
}

// `sizes` are the images', and become those of the pool.
KernelStatus PoolSizes(const std::optional<Window>& window, bool ceil, Region& sizes) {
  if (sizes.rank != 3 && sizes.rank != 4) return "the input must have three or four dimensions";
  if (!window) return kBadWindow;
  for (size_t d = 0; d < 2; ++d) {
    int64_t& size = sizes.sizes[sizes.rank - 2 + d];
    size = WindowCount(size, *window, d, ceil);
    if (size < 1) return "the kernel is larger than the padded input";
  }
  return nullptr;
}

KernelStatus ResizePooled(const KernelCall& call, size_t first_out,
                          const std::optional<Window>& window, bool ceil) {
  Region sizes = WholeOf(TensorAt(call, 0));
  if (const KernelStatus status = PoolSizes(window, ceil, sizes)) return status;
  for (size_t a = first_out; a < call.args.size(); ++a) {
    if (const KernelStatus status = ResizeTo(TensorAt(call, a), sizes)) return status;
  }
  return nullptr;
}

// One image: its rows and columns, and where it lies.
struct Plane {
  ScalarType dtype = ScalarType::kUInt8;
  CheckedPointer data;
  Pair size = {0, 0};
  Pair stride = {0, 0};  // in bytes

  [[nodiscard]] CheckedPointer At(int64_t y, int64_t x) const {
    return data + y * stride[0] + x * stride[1];
  }
};

Plane PlaneOf(const Region& region) {
  const size_t d = region.rank - 2;
  return {region.dtype,
          {},
          {region.sizes[d], region.sizes[d + 1]},
          {region.strides[d], region.strides[d + 1]}};
}

// Calls each(planes) for each image of tensors that have equally many.
template <size_t kCount, class Each>
void ForEachPlane(std::array<Region, kCount> regions, const Each& each) {
  std::array<Plane, kCount> planes;
  for (size_t k = 0; k < kCount; ++k) {
    planes[k] = PlaneOf(regions[k]);
    regions[k].rank -= 2;
  }
  ForEachPlace(Walked(regions), [&](const auto& at) {
    for (size_t k = 0; k < kCount; ++k) planes[k].data = at[k];
    each(planes);
  });
}

// --- Largest values, and where in its image each lies. A NaN always takes the place.

// Whether every window holds an element, of images that are there.
bool WindowsHoldElements(const Region& in, const Region& out, const Window& window,
                         CallWork& work) {
  const Pair in_size = PlaneOf(in).size;
  const Pair out_size = PlaneOf(out).size;
  for (size_t d = 0; d < 2; ++d) {
    for (int64_t o = 0; o < out_size[d]; ++o) {
      work.Pass();
      const Inside inside = InsideOf(window, d, window.Start(d, o), in_size[d]);
      if (inside.first >= inside.end) return false;
    }
  }
  return true;
}

template <class T>
void MaxOfWindow(const Plane& in, const Window& window, int64_t oy, int64_t ox, T& best,
                 int64_t& place) {
  const int64_t top = window.Start(0, oy);
  const int64_t left = window.Start(1, ox);
  const Inside rows = InsideOf(window, 0, top, in.size[0]);
  const Inside columns = InsideOf(window, 1, left, in.size[1]);
  place = -1;
  for (int64_t r = rows.first; r < rows.end; ++r) {
    for (int64_t c = columns.first; c < columns.end; ++c) {
      const int64_t y = top + r * window.dilation[0];
      const int64_t x = left + c * window.dilation[1];
      const T number = LoadOne<T>(in.dtype, in.At(y, x));
      if (place >= 0 && !(number > best) && number == number) continue;  // NOLINT: NaN
      best = number;
      place = y * in.size[1] + x;
    }
  }
}

template <class T>
KernelStatus MaxPoolIn(const KernelCall& call, const Window& window) {
  const std::array<Region, 3> regions = {WholeOf(TensorAt(call, 0)), WholeOf(TensorAt(call, 6)),
                                         WholeOf(TensorAt(call, 7))};
  const bool there = ElementCount(TensorAt(call, 6)) > 0;
  call.scratch->work().Take(PlaneOf(regions[1]).size[0] + PlaneOf(regions[1]).size[1]);
  if (there && !WindowsHoldElements(regions[0], regions[1], window, call.scratch->work())) {
    return "a window holds no element";
  }
  ForEachPlane(regions, [&](const auto& planes) {
    const auto& [in, out, indices] = planes;
    for (int64_t y = 0; y < out.size[0]; ++y) {
      for (int64_t x = 0; x < out.size[1]; ++x) {
        T best = T();
        int64_t place = -1;
        MaxOfWindow(in, window, y, x, best, place);
        StoreOne(out.dtype, best, out.At(y, x));
        StoreOne(indices.dtype, place, indices.At(y, x));
      }
    }
  });
  return nullptr;
}

KernelStatus MaxPool(const KernelCall& call) {
  const auto window = PoolWindow(call, true);
  if (!window) return kBadWindow;
  const ScalarType dtype = TensorAt(call, 0).dtype;
  if (IsComplexType(dtype)) return "complex numbers have no order";
  if (dtype == ScalarType::kFloat32) return MaxPoolIn<float>(call, *window);
  return IsRealType(dtype) ? MaxPoolIn<double>(call, *window) : MaxPoolIn<int64_t>(call, *window);
}

KernelStatus SizesOfMaxPool(const KernelCall& call) {
  return ResizePooled(call, 6, PoolWindow(call, true), IntAt(call, 5) != 0);
}

// --- The way back: each gradient goes to the element that its window has taken.

KernelStatus CheckGradients(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 1));
  const KernelStatus status = PoolSizes(PoolWindow(call, true, 2), IntAt(call, 6) != 0, sizes);
  if (status != nullptr) return status;
  for (const size_t a : {size_t{0}, size_t{7}}) {
    const TensorRef& pooled = TensorAt(call, a);
    bool fits = pooled.rank() == sizes.rank;
    for (size_t d = 0; fits && d < sizes.rank; ++d) fits = pooled.sizes[d] == sizes.sizes[d];
    if (!fits) return "the gradient or the indices do not have the pool's sizes";
  }
  return nullptr;
}

KernelStatus SizesOfMaxPoolBackward(const KernelCall& call) {
  const KernelStatus status = CheckGradients(call);
  return status != nullptr ? status : ResizeTo(OutOf(call), WholeOf(TensorAt(call, 1)));
}

KernelStatus MaxPoolBackward(const KernelCall& call) {
  const std::array<Region, 3> regions = {WholeOf(TensorAt(call, 0)), WholeOf(TensorAt(call, 7)),
                                         WholeOf(OutOf(call))};
  const ScalarType places = regions[1].dtype;
  if (!IsIntegerType(places) || places == ScalarType::kBool) return "the indices must be integers";
  const Pair size = PlaneOf(regions[2]).size;
  const int64_t area = size[0] * size[1];
  CheckedPlaces taken;
  const KernelStatus status = ReadPlaces(call, regions[1], area, false, taken);
  if (status == kIndexOutOfRange) return "an index is not in the image";
  if (status != nullptr) return status;
  const auto sums = RoomFor<double>(area, *call.scratch);
  if (!sums.given()) return kNoMemory;
  int64_t i = 0;
  ForEachPlane(std::array<Region, 2>{regions[0], regions[2]}, [&](const auto& planes) {
    const auto& [grad, out] = planes;
    call.scratch->work().Take(area);
    FillNumbers(sums, 0.0, call.scratch->work());
    for (int64_t y = 0; y < grad.size[0]; ++y) {
      for (int64_t x = 0; x < grad.size[1]; ++x) {
        sums[taken[i++]] += LoadOne<double>(grad.dtype, grad.At(y, x));
      }
    }
    for (int64_t y = 0; y < size[0]; ++y) {
      const auto row = sums.Part(y * size[1], size[1]);
      StoreLine(out.dtype, row, out.At(y, 0), out.stride[1]);
    }
  });
  return nullptr;
}

// --- Means.

struct Averaging {
  Window window;
  bool padded = false;  // places in the padding count, too
  int64_t divisor = 0;  // 0: the number of places
};

// How many elements a window counts for: none beyond the padding.
int64_t PlacesOf(const Averaging& averaging, const Plane& in, const Pair& starts,
                 const std::array<Inside, 2>& inside) {
  if (averaging.divisor != 0) return averaging.divisor;
  int64_t count = 1;
  for (size_t d = 0; d < 2; ++d) {
    const Window& window = averaging.window;
    const int64_t end = std::min(starts[d] + window.kernel[d], in.size[d] + window.padding[d]);
    count *= averaging.padded ? end - starts[d] : inside[d].end - inside[d].first;
  }
  return count;
}

template <class T>
T MeanOfWindow(const Plane& in, const Averaging& averaging, int64_t oy, int64_t ox) {
  const Pair starts = {averaging.window.Start(0, oy), averaging.window.Start(1, ox)};
  const std::array<Inside, 2> inside = {InsideOf(averaging.window, 0, starts[0], in.size[0]),
                                        InsideOf(averaging.window, 1, starts[1], in.size[1])};
  if (inside[0].first == inside[0].end || inside[1].first == inside[1].end) return T();
  T sum = T();
  for (int64_t r = inside[0].first; r < inside[0].end; ++r) {
    for (int64_t c = inside[1].first; c < inside[1].end; ++c) {
      const T number = LoadOne<T>(in.dtype, in.At(starts[0] + r, starts[1] + c));
      if constexpr (std::integral<T>)
        sum = WrappedSum(sum, number);
      else
        sum += number;
    }
  }
  const int64_t places = PlacesOf(averaging, in, starts, inside);
  if constexpr (std::integral<T>)
    return TruncatedDivision(sum, places);
  else
    return sum / static_cast<T>(places);
}

template <class T>
void AveragePoolIn(const KernelCall& call, const Averaging& averaging) {
  const std::array<Region, 2> regions = {WholeOf(TensorAt(call, 0)), WholeOf(OutOf(call))};
  ForEachPlane(regions, [&](const auto& planes) {
    const auto& [in, out] = planes;
    for (int64_t y = 0; y < out.size[0]; ++y) {
      for (int64_t x = 0; x < out.size[1]; ++x) {
        StoreOne(out.dtype, MeanOfWindow<T>(in, averaging, y, x), out.At(y, x));
      }
    }
  });
}

KernelStatus AveragePool(const KernelCall& call) {
  const auto window = PoolWindow(call, false);
  if (!window) return kBadWindow;
  const int64_t divisor = IsNone(call, 6) ? 0 : IntAt(call, 6);
  if (divisor == 0 && !IsNone(call, 6)) return "divisor_override is 0";
  const Averaging averaging = {*window, IntAt(call, 5) != 0, divisor};
  const ScalarType dtype = TensorAt(call, 0).dtype;
  if (IsComplexType(dtype)) return "it is not defined for complex elements";
  IsRealType(dtype) ? AveragePoolIn<double>(call, averaging)
                    : AveragePoolIn<int64_t>(call, averaging);
  return nullptr;
}

KernelStatus SizesOfAveragePool(const KernelCall& call) {
  return ResizePooled(call, 7, PoolWindow(call, false), IntAt(call, 4) != 0);
}

// Each element is the mean of its share of the image: whole rows and columns, rounded outwards.
template <class T>
void AdaptivePoolIn(const KernelCall& call) {
  const std::array<Region, 2> regions = {WholeOf(TensorAt(call, 0)), WholeOf(OutOf(call))};
  ForEachPlane(regions, [&](const auto& planes) {
    const auto& [in, out] = planes;
    const auto first = [&](size_t d, int64_t o) { return o * in.size[d] / out.size[d]; };
    const auto end = [&](size_t d, int64_t o) {
      return ((o + 1) * in.size[d] + out.size[d] - 1) / out.size[d];
    };
    for (int64_t y = 0; y < out.size[0]; ++y) {
      for (int64_t x = 0; x < out.size[1]; ++x) {
        Averaging share;  // a window of its own, moved to where it starts
        const Pair starts = {first(0, y), first(1, x)};
        share.window.kernel = {end(0, y) - starts[0], end(1, x) - starts[1]};
        share.window.padding = {-starts[0], -starts[1]};
        StoreOne(out.dtype, MeanOfWindow<T>(in, share, 0, 0), out.At(y, x));
      }
    }
  });
}

KernelStatus SizesOfAdaptivePool(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const auto wanted = call.args[1]->items;
  if (sizes.rank != 3 && sizes.rank != 4) return "the input must have three or four dimensions";
  if (wanted.size() != 2) return "output_size must have two entries";
  for (size_t d = 0; d < 2; ++d) sizes.sizes[sizes.rank - 2 + d] = wanted[d]->integer;
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus AdaptivePool(const KernelCall& call) {
  const Pair in = PlaneOf(WholeOf(TensorAt(call, 0))).size;
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  if (in[0] == 0 || in[1] == 0) return "the input is empty";
  const ScalarType dtype = TensorAt(call, 0).dtype;
  if (IsComplexType(dtype)) return "it is not defined for complex elements";
  IsRealType(dtype) ? AdaptivePoolIn<double>(call) : AdaptivePoolIn<int64_t>(call);
  return nullptr;
}

constexpr Kernel kPoolKernels[] = {
    {"aten::max_pool2d_with_indices.out", SizesOfMaxPool, MaxPool},
    {"aten::max_pool2d_with_indices_backward.grad_input", SizesOfMaxPoolBackward, MaxPoolBackward},
    {"aten::avg_pool2d.out", SizesOfAveragePool, AveragePool},
    {"aten::_adaptive_avg_pool2d.out", SizesOfAdaptivePool, AdaptivePool},
};

}  // namespace

std::span<const Kernel> PoolKernels() {
  return kPoolKernels;
}

}  // namespace pteproof::kernels
