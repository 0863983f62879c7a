// Numbers out of an input's bytes, zeros where there are no more: every input means something.
#ifndef PTEPROOF_FUZZ_BYTE_SOURCE_H_
#define PTEPROOF_FUZZ_BYTE_SOURCE_H_

#include <cstdint>

#include "pteproof/program.h"

namespace pteproof::fuzz {

class ByteSource {
 public:
  explicit ByteSource(Bytes bytes) : left_(bytes) {}

  [[nodiscard]] bool empty() const { return left_.empty(); }

  uint8_t Byte() {
    if (left_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(left_.front());
    left_ = left_.subspan(1);
    return byte;
  }
  // Little endian.
  uint64_t Word(int bytes = 8) {
    uint64_t word = 0;
    for (int b = 0; b < bytes; ++b) word |= uint64_t{Byte()} << (8 * b);
    return word;
  }

 private:
  Bytes left_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_BYTE_SOURCE_H_
