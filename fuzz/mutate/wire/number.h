// Little-endian numbers of 1 to 8 bytes, at any address.
#ifndef PTEPROOF_FUZZ_MUTATE_WIRE_NUMBER_H_
#define PTEPROOF_FUZZ_MUTATE_WIRE_NUMBER_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace pteproof::fuzz::wire {

// [at, at + width) lies in `bytes`.
[[nodiscard]] inline uint64_t ReadNumber(std::span<const std::byte> bytes, uint64_t at,
                                         size_t width) {
  uint64_t number = 0;
  for (size_t b = 0; b < width; ++b) number |= static_cast<uint64_t>(bytes[at + b]) << (8 * b);
  return number;
}

inline void WriteNumber(std::span<std::byte> bytes, uint64_t at, size_t width, uint64_t number) {
  for (size_t b = 0; b < width; ++b) bytes[at + b] = static_cast<std::byte>(number >> (8 * b));
}

}  // namespace pteproof::fuzz::wire

#endif  // PTEPROOF_FUZZ_MUTATE_WIRE_NUMBER_H_
