#include "runtime/kernels/sizes.h"

#include <span>

namespace pteproof::kernels {

KernelStatus ResizeTo(TensorRef& out, const Region& region) {
  return Resize(out, std::span(region.sizes).first(region.rank));
}

KernelStatus AsFirst(const KernelCall& call) {
  return ResizeTo(OutOf(call), WholeOf(TensorAt(call, 0)));
}

KernelStatus AsListed(const KernelCall& call) {
  const auto asked = call.args[0]->items;
  if (asked.size() > kMaxRank) return kTooManyDimensions;
  SizeArray sizes = {};
  for (size_t d = 0; d < asked.size(); ++d) sizes[d] = asked[d]->integer;
  return Resize(OutOf(call), std::span(sizes).first(asked.size()));
}

}  // namespace pteproof::kernels
