#include "runtime/kernels/base/scratch.h"

#include <new>

namespace pteproof {

std::span<std::byte> Scratch::Lend(size_t bytes) {
  if (bytes > limit_ - bytes_) return {};
  try {
    if (lent_ == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[lent_];
    if (block.bytes < bytes) {
      block = {};  // never both the old memory and the new
      block = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
    }
    ++lent_;
    bytes_ += bytes;
    return {block.memory.get(), bytes};
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace pteproof
