// Memory that a kernel has for the time of one call.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pteproof {

// What a kernel says that was lent too little. Known by its address.
inline constexpr char kNoMemory[] = "there is not enough memory";

class Scratch {
 public:
  // Aligned for any number; what it holds is left open. Valid until it is taken back. Empty: there
  // is not enough memory.
  [[nodiscard]] std::span<std::byte> Lend(size_t bytes);
  // Everything that was lent. The memory is kept for the next call.
  void TakeBack() { lent_ = 0; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    size_t bytes = 0;
  };

  std::vector<Block> blocks_;  // each of the largest size that it was lent with
  size_t lent_ = 0;            // so many of the blocks
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_SCRATCH_H_
