// Pools: means and largest values of windows that slide over images [..., height, width].
#include <algorithm>
#include <cmath>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"
#include "reference/ops/window.h"

namespace pteproof {
namespace {

constexpr std::string_view kPoolOrder = "kernels sum in the type and in another order";

bool IsImage(size_t rank) {
  return rank == 3 || rank == 4;
}

// The attributes from operand `first` on: kernel, stride, padding and, where the operator has it,
// dilation. Nothing: one is out of range, or a padding is more than half a kernel.
template <class Arg>
std::optional<Window> WindowAt(const CallOf<Arg>& call, size_t first, bool dilated) {
  const auto kernel = PairAt(call, first, 2, 1, 1);
  if (!kernel) return std::nullopt;
  const auto stride = PairAt(call, first + 1, 2, 1, 1, *kernel);
  const auto padding = PairAt(call, first + 2, 2, 0, 0, Pair{0, 0});
  const auto dilation =
      dilated ? PairAt(call, first + 3, 2, 1, 1, Pair{1, 1}) : std::optional(Pair{1, 1});
  if (!stride || !padding || !dilation) return std::nullopt;
  if (2 * (*padding)[0] > (*kernel)[0] || 2 * (*padding)[1] > (*kernel)[1]) return std::nullopt;
  return Window{*kernel, *stride, *padding, *dilation};
}

SizesOrFault PooledSizes(const TensorType& self, const std::optional<Window>& window, bool ceil) {
  if (!IsImage(self.rank())) return std::string("the input must have three or four dimensions");
  if (!window) return std::string("kernel, stride, padding or dilation is out of range");
  SizeList sizes = self.sizes;
  for (size_t d = 0; d < 2; ++d) {
    SizeExpr& size = sizes[sizes.size() - 2 + d];
    size = WindowCount(size, *window, d, ceil);
    if (IsBelowOne(size)) return std::string("the kernel is larger than the padded input");
  }
  return sizes;
}

Types AveragePoolType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  SizesOrFault sizes = PooledSizes(self, WindowAt(call, 1, false), BoolAt(call, 4));
  if (!sizes.ok()) return sizes.error();
  return OneResult(self.dtype, std::move(sizes).value());
}

Types MaxPoolType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  SizesOrFault sizes = PooledSizes(self, WindowAt(call, 1, true), BoolAt(call, 5));
  if (!sizes.ok()) return sizes.error();
  return std::vector<TensorType>{{self.dtype, sizes.value()}, {ScalarType::kInt64, sizes.value()}};
}

Types MaxPoolBackwardType(const TypeCall& call) {
  const TensorType& grad = TensorAt(call, 0);
  const TensorType& self = TensorAt(call, 1);
  const SizesOrFault sizes = PooledSizes(self, WindowAt(call, 2, true), BoolAt(call, 6));
  if (!sizes.ok()) return sizes.error();
  if (!MayBeEqual(grad.sizes, sizes.value()) ||
      !MayBeEqual(TensorAt(call, 7).sizes, sizes.value())) {
    return std::string("the gradient or the indices have not the pool's sizes");
  }
  if (!IsInteger(TensorAt(call, 7).dtype)) return std::string("the indices must be integers");
  return OneResult(self.dtype, self.sizes);
}

Types AdaptivePoolType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto wanted = IntsAt(call, 1);
  if (!IsImage(self.rank())) return std::string("the input must have three or four dimensions");
  if (wanted.size() != 2) return std::string("output_size must have two entries");
  SizeList sizes = self.sizes;
  std::copy(wanted.begin(), wanted.end(), sizes.end() - 2);
  return OneResult(self.dtype, std::move(sizes));
}

Pair ImageSize(const TensorValue& t) {
  return {t.sizes[t.sizes.size() - 2], t.sizes.back()};
}

// A rectangle of one image: elements from `first` to before `end`, `step` apart.
struct Patch {
  Pair first = {0, 0};
  Pair end = {0, 0};
  Pair step = {1, 1};
};

// Calls each(at) for the positions of the patch in an image of that width.
template <class Each>
void ForEachIn(const Patch& patch, int64_t width, Each each) {
  for (int64_t y = patch.first[0]; y < patch.end[0]; y += patch.step[0]) {
    for (int64_t x = patch.first[1]; x < patch.end[1]; x += patch.step[1]) each(y * width + x);
  }
}

// Calls each(o, image, place) for every element of the pooled images: its number, the first element
// of the image it is made of, and where it lies in the pooled image. Each reads at most `of_each`
// elements.
template <class Each>
void ForEachPlace(const TensorValue& self, const TensorValue& pooled, int64_t of_each, Each each) {
  const Pair in = ImageSize(self);
  const Pair out = ImageSize(pooled);
  const int64_t count = ElementCount(pooled);
  Paced pace(CappedProduct({count, of_each + 1}));
  for (int64_t o = 0; o < count; ++o) {
    pace.Step(of_each + 1);
    const int64_t image = o / (out[0] * out[1]) * in[0] * in[1];
    each(o, image, Pair{o / out[1] % out[0], o % out[1]});
  }
}

// The part of a window that lies in the image.
Patch PatchOf(const Window& window, const Pair& place, const Pair& size) {
  Patch patch;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t start = place[d] * window.stride[d] - window.padding[d];
    const int64_t step = window.dilation[d];
    patch.first[d] = start >= 0 ? start : start + (-start + step - 1) / step * step;
    patch.end[d] = std::min(start + window.Reach(d), size[d]);
    patch.step[d] = step;
  }
  return patch;
}

template <class T>
T SumOf(const TensorValue& self, int64_t image, const Patch& patch) {
  T sum = 0;
  ForEachIn(patch, self.sizes.back(), [&](int64_t at) { sum += Element<T>(self, image + at); });
  return sum;
}

// Divides as the element type does: integers truncate.
void SetMean(const TensorValue& self, int64_t image, const Patch& patch, int64_t divisor,
             TensorValue& result, int64_t o) {
  if (IsFloat(self.dtype)) {
    const double sum = SumOf<double>(self, image, patch);
    return SetReal(result, o, sum / static_cast<double>(divisor));
  }
  const uint64_t sum = SumOf<uint64_t>(self, image, patch);
  const auto quotient =
      divisor == -1 ? 0 - sum : static_cast<uint64_t>(static_cast<int64_t>(sum) / divisor);
  SetElement(result, o, quotient);
}

// At most so many elements of the image are in a window.
int64_t MostIn(const Window& window, const Pair& size) {
  return CappedProduct({std::min(window.kernel[0], size[0]), std::min(window.kernel[1], size[1])});
}

// How many elements a window counts for: all that are in the image, and with `padded` those in its
// padding too, but none beyond.
int64_t CountOf(const Window& window, const Patch& patch, const Pair& place, const Pair& size,
                bool padded) {
  int64_t count = 1;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t start = place[d] * window.stride[d] - window.padding[d];
    const int64_t end = std::min(start + window.kernel[d], size[d] + window.padding[d]);
    count *= padded ? end - start : patch.end[d] - patch.first[d];
  }
  return count;
}

std::string AveragePool(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto window = WindowAt(call, 1, false);
  if (!window) return "kernel, stride or padding is out of range";
  const bool padded = BoolAt(call, 5);
  const int64_t given = IntOr(call, 6, 0);
  if (given == 0 && !IsNone(call, 6)) return "divisor_override is 0";
  const Pair size = ImageSize(self);
  const int64_t most = MostIn(*window, size);
  ForEachPlace(self, results[0], most, [&](int64_t o, int64_t image, const Pair& place) {
    const Patch patch = PatchOf(*window, place, size);
    if (patch.first[0] >= patch.end[0] || patch.first[1] >= patch.end[1]) return;  // stays 0
    const int64_t divisor = given != 0 ? given : CountOf(*window, patch, place, size, padded);
    SetMean(self, image, patch, divisor, results[0], o);
  });
  return {};
}

// Each element is the mean of its share of the image, rounded to whole rows and columns outwards.
std::string AdaptivePool(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const Pair in = ImageSize(self);
  const Pair out = ImageSize(results[0]);
  if (in[0] == 0 || in[1] == 0) return ElementCount(results[0]) == 0 ? "" : "the input is empty";
  if (ElementCount(results[0]) == 0) return {};
  const int64_t most = CappedProduct({in[0] / out[0] + 2, in[1] / out[1] + 2});
  ForEachPlace(self, results[0], most, [&](int64_t o, int64_t image, const Pair& place) {
    Patch patch;
    for (size_t d = 0; d < 2; ++d) {
      patch.first[d] = place[d] * in[d] / out[d];
      patch.end[d] = ((place[d] + 1) * in[d] + out[d] - 1) / out[d];
    }
    const int64_t count = (patch.end[0] - patch.first[0]) * (patch.end[1] - patch.first[1]);
    SetMean(self, image, patch, count, results[0], o);
  });
  return {};
}

// Whether element i takes the place of the best so far: a NaN always does, as in PyTorch.
bool IsBetter(const TensorValue& self, int64_t i, int64_t best) {
  if (!IsFloat(self.dtype)) return IntAt(self, i) > IntAt(self, best);
  const double value = RealAt(self, i);
  return value > RealAt(self, best) || std::isnan(value);
}

// The largest elements, and where in its image each lies.
std::string MaxPool(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto window = WindowAt(call, 1, true);
  if (!window) return "kernel, stride, padding or dilation is out of range";
  std::string fault;
  const int64_t most = MostIn(*window, ImageSize(self));
  ForEachPlace(self, results[0], most, [&](int64_t o, int64_t image, const Pair& place) {
    int64_t best = -1;
    ForEachIn(PatchOf(*window, place, ImageSize(self)), self.sizes.back(), [&](int64_t at) {
      if (best < 0 || IsBetter(self, image + at, image + best)) best = at;
    });
    if (best < 0) {
      fault = "a window holds no element";
      return;
    }
    CopyElement(self, image + best, results[0], o);
    SetInt(results[1], o, best);
  });
  return fault;
}

// Each gradient goes to the element it was taken from.
std::string MaxPoolBackward(const Call& call, std::span<TensorValue> results) {
  const TensorValue& grad = TensorAt(call, 0);
  const TensorValue& indices = TensorAt(call, 7);
  const Pair size = ImageSize(results[0]);
  Numbers<double> sums(static_cast<size_t>(ElementCount(results[0])));
  std::string fault;
  ForEachPlace(results[0], grad, 1, [&](int64_t o, int64_t image, const Pair&) {
    const int64_t at = IntAt(indices, o);
    if (at < 0 || at >= size[0] * size[1]) {
      fault = "index " + std::to_string(at) + " is not in the image";
      return;
    }
    sums[static_cast<size_t>(image + at)] += RealAt(grad, o);
  });
  SetElements(results[0], sums);
  return fault;
}

constexpr OpMeaning kPoolMeanings[] = {
    RoundedFor(kPoolOrder, "aten::_adaptive_avg_pool2d.out", AdaptivePoolType, AdaptivePool),
    RoundedFor(kPoolOrder, "aten::avg_pool2d.out", AveragePoolType, AveragePool),
    Exact("aten::max_pool2d_with_indices.out", MaxPoolType, MaxPool),
    RoundedFor(kPoolOrder, "aten::max_pool2d_with_indices_backward.grad_input", MaxPoolBackwardType,
               MaxPoolBackward),
};

}  // namespace

std::span<const OpMeaning> PoolMeanings() {
  return kPoolMeanings;
}

}  // namespace pteproof
