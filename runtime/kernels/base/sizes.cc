#include "runtime/kernels/base/sizes.h"

#include <span>

namespace pteproof::kernels {

KernelStatus ResizeTo(TensorRef& out, const Region& region) {
  return Resize(out, std::span(region.sizes).first(region.rank));
}

KernelStatus AsFirst(const KernelCall& call) {
  const TensorRef& first = TensorAt(call, 0);
  SizeArray sizes;
  for (size_t d = 0; d < first.rank(); ++d) sizes[d] = first.sizes[d];
  return Resize(OutOf(call), std::span(sizes).first(first.rank()));
}

KernelStatus AsListed(const KernelCall& call) {
  const auto asked = call.args[0]->items;
  if (asked.size() > kMaxRank) return kTooManyDimensions;
  SizeArray sizes = {};
  for (size_t d = 0; d < asked.size(); ++d) sizes[d] = asked[d]->integer;
  return Resize(OutOf(call), std::span(sizes).first(asked.size()));
}

}  // namespace pteproof::kernels
