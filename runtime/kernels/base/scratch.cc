#include "runtime/kernels/base/scratch.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace pteproof {

std::span<std::byte> Scratch::Lend(size_t bytes) {
  try {
    if (lent_ == blocks_.size()) blocks_.emplace_back();
    std::vector<std::byte>& block = blocks_[lent_];
    if (block.size() < bytes) block.resize(std::max(bytes, 2 * block.size()));
    ++lent_;
    return std::span(block).first(bytes);
  } catch (const std::bad_alloc&) {
    return {};
  } catch (const std::length_error&) {
    return {};
  }
}

}  // namespace pteproof
