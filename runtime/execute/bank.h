// A memory bank: a span of bytes, and how to bring bytes into it. It need not be plain memory while
// a program is loaded: initial state and its fill go through the callbacks alone.
#ifndef PTEPROOF_RUNTIME_EXECUTE_BANK_H_
#define PTEPROOF_RUNTIME_EXECUTE_BANK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>

namespace pteproof {

struct Bank {
  std::span<std::byte> bytes;
  uint8_t device_type = 0;  // 0: CPU
  int8_t device_index = 0;
  // (destination, source, bytes), the destination inside of `bytes`.
  std::function<void(std::byte*, const std::byte*, size_t)> copy_in =
      [](std::byte* to, const std::byte* from, size_t count) { std::memcpy(to, from, count); };
  // (destination, value, bytes): zeros for state without a stored value, or poison.
  std::function<void(std::byte*, std::byte, size_t)> fill = [](std::byte* to, std::byte value,
                                                               size_t count) {
    std::memset(to, static_cast<int>(value), count);
  };
};

// What a program asks for.
struct BankRequest {
  uint32_t memory_id = 0;
  uint64_t nbytes = 0;
  uint64_t alignment = 16;
  uint8_t device_type = 0;
  int8_t device_index = 0;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_BANK_H_
