// The mixing functions of `hash` semantics, over bytes where they lie
// (docs/explanation/running.md).
#ifndef PTEPROOF_RUNTIME_KERNELS_HASH_MIXING_H_
#define PTEPROOF_RUNTIME_KERNELS_HASH_MIXING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "runtime/kernels/base/run_value.h"

namespace pteproof::mixing {

inline constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;

// Every bit of either number spreads over the result.
[[nodiscard]] inline uint64_t Mix(uint64_t a, uint64_t b) {
  const unsigned __int128 wide =
      static_cast<unsigned __int128>(a ^ 0xA0761D6478BD642F) * (b ^ (0xE7037ED1A0B428DB ^ kSeed));
  const auto high = static_cast<uint64_t>(wide >> 64);
  const auto low = static_cast<uint64_t>(wide);
  const uint64_t turned = (a << 23) | (a >> 41);
  return (low ^ high) ^ (turned + b * kSeed);
}

[[nodiscard]] uint64_t DigestOfText(std::string_view text);
// Element type, sizes and elements in row-major order.
[[nodiscard]] uint64_t DigestOfTensor(const TensorRef& tensor);
// Any value, lists of values included.
[[nodiscard]] uint64_t DigestOfValue(const RunValue* value, bool as_real);

[[nodiscard]] uint64_t DigestOfBytes(const std::byte* bytes, size_t count);

// The bits of an element; a digest of one that has more than 8 bytes.
template <size_t kSize>
[[nodiscard]] uint64_t BitsOf(const std::byte* element) {
  if constexpr (kSize > sizeof(uint64_t)) return DigestOfBytes(element, kSize);
  uint64_t bits = 0;
  std::memcpy(&bits, element, std::min(kSize, sizeof(bits)));
  return bits;
}
[[nodiscard]] inline uint64_t BitsOf(const std::byte* element, size_t size) {
  switch (size) {
    case 1:
      return BitsOf<1>(element);
    case 2:
      return BitsOf<2>(element);
    case 4:
      return BitsOf<4>(element);
    case 8:
      return BitsOf<8>(element);
    default:
      return DigestOfBytes(element, size);
  }
}

// Makes an element of a digest: its bytes from the lowest on, once more from the start after 8. A
// bool takes the lowest bit.
inline void PutDigest(ScalarType dtype, std::byte* element, uint64_t digest) {
  const uint64_t bits = dtype == ScalarType::kBool ? digest & 1 : digest;
  switch (ElementSize(dtype)) {
    case 1:
      return static_cast<void>(std::memcpy(element, &bits, 1));
    case 2:
      return static_cast<void>(std::memcpy(element, &bits, 2));
    case 4:
      return static_cast<void>(std::memcpy(element, &bits, 4));
    case 16:
      std::memcpy(element + 8, &bits, 8);
      [[fallthrough]];
    default:
      std::memcpy(element, &bits, 8);
  }
}

}  // namespace pteproof::mixing

#endif  // PTEPROOF_RUNTIME_KERNELS_HASH_MIXING_H_
