// What decoding may cost in memory, so that references to shared bytes cannot blow up a small file.
#ifndef PTEPROOF_RUNTIME_DECODE_BUDGET_H_
#define PTEPROOF_RUNTIME_DECODE_BUDGET_H_

#include <cstdint>

namespace pteproof {

class DecodeBudget {
 public:
  // A sound file needs 2 to 4 times its size; the readers promise 16 times and 1 MB.
  explicit DecodeBudget(uint64_t file_size) : left_(file_size * 8 + 256 * 1024) {}

  // Takes `bytes` from what is left; false when there is too little.
  [[nodiscard]] bool Spend(uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  uint64_t left_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_DECODE_BUDGET_H_
