#include "reference/ops/convolution_walk.h"

#include <algorithm>

namespace pteproof {

std::vector<Span> SpansOf(const Image& small, const Image& big, const Window& window, size_t d) {
  std::vector<Span> spans;
  const int64_t stride = window.stride[d];
  for (int64_t k = 0; k < window.kernel[d]; ++k) {
    const int64_t shift = k * window.dilation[d] - window.padding[d];
    const int64_t first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
    const int64_t room = big.size[d] - 1 - shift;
    const int64_t end = room < 0 ? 0 : std::min(small.size[d], room / stride + 1);
    spans.push_back({first, std::max<int64_t>(0, end - first), first * stride + shift});
  }
  return spans;
}

int64_t CountIn(const std::vector<Span>& spans) {
  auto count = static_cast<int64_t>(spans.size());
  for (const Span& span : spans) count += span.count;
  return count;
}

}  // namespace pteproof
