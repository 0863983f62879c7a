// What a kernel has for the time of one call: memory, and work that it may do.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "runtime/kernels/base/call_work.h"

namespace pteproof {

class Scratch {
 public:
  // Lends no more than so many bytes at a time.
  explicit Scratch(uint64_t limit = std::numeric_limits<uint64_t>::max()) : limit_(limit) {}

  // Aligned for any number; what it holds is left open. Valid until it is taken back. Empty: there
  // is not enough memory.
  [[nodiscard]] std::span<std::byte> Lend(size_t bytes);
  // Everything that was lent. The memory is kept for the next call.
  void TakeBack() {
    lent_ = 0;
    bytes_ = 0;
  }
  [[nodiscard]] CallWork& work() { return work_; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    size_t bytes = 0;
  };

  void Free(Block& block);

  std::vector<Block> blocks_;  // each of the largest size that it was lent with
  size_t lent_ = 0;            // so many of the blocks
  uint64_t bytes_ = 0;         // so much of it
  uint64_t kept_ = 0;          // in all blocks
  uint64_t limit_;
  CallWork work_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_
