// A flatbuffer at an address that its scalars can be read from: the bytes themselves, or a copy of
// them.
#ifndef PTEPROOF_RUNTIME_ALIGNED_BYTES_H_
#define PTEPROOF_RUNTIME_ALIGNED_BYTES_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

class AlignedBytes {
 public:
  // `original` must outlive this object. Copies only when its address is not a multiple of 8.
  explicit AlignedBytes(Bytes original) : original_(original) {
    if (reinterpret_cast<uintptr_t>(original.data()) % sizeof(uint64_t) == 0) return;
    copy_.resize((original.size() + sizeof(uint64_t) - 1) / sizeof(uint64_t));
    std::memcpy(copy_.data(), original.data(), original.size());
  }

  [[nodiscard]] const uint8_t* data() const {
    const void* start = copy_.empty() ? static_cast<const void*>(original_.data()) : copy_.data();
    return static_cast<const uint8_t*>(start);
  }
  [[nodiscard]] size_t size() const { return original_.size(); }

  // The original of `count` bytes at `place`, an address inside data().
  [[nodiscard]] Bytes Original(const uint8_t* place, size_t count) const {
    return original_.subspan(static_cast<size_t>(place - data()), count);
  }

 private:
  Bytes original_;
  std::vector<uint64_t> copy_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_ALIGNED_BYTES_H_
