#include "runtime/kernels/base/scratch.h"

#include <new>

namespace pteproof {

void Scratch::Free(Block& block) {
  kept_ -= block.bytes;
  block = {};
}

std::span<std::byte> Scratch::Lend(size_t bytes) {
  if (bytes > limit_ - bytes_) return {};
  try {
    if (lent_ == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[lent_];
    if (block.bytes < bytes) {
      Free(block);  // never both the old memory and the new
      // What other calls were lent is kept within the limit, too.
      for (size_t b = blocks_.size(); b-- > lent_ + 1 && bytes > limit_ - kept_;) Free(blocks_[b]);
      if (bytes > limit_ - kept_) return {};
      block = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
      kept_ += bytes;
    }
    ++lent_;
    bytes_ += bytes;
    return {block.memory.get(), bytes};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace pteproof
