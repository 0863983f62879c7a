// How libFuzzer makes inputs of others.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "fuzz/entry.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using pteproof::Bytes;
using pteproof::fuzz::Buffer;

Bytes BytesAt(const uint8_t* data, size_t size) {
  return std::as_bytes(std::span(data, size));
}

// libFuzzer's own changes: its dictionaries and what it saw compared.
size_t MutateByLibFuzzer(std::span<std::byte> room, size_t size) {
  return LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(room.data()), size, room.size());
}

size_t Give(const Buffer& made, uint8_t* out, size_t max_size) {
  const size_t size = std::min(made.size(), max_size);
  if (size > 0) std::memcpy(out, made.data(), size);
  return size;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const Buffer made =
      pteproof::fuzz::EntryMutator().mutate(BytesAt(data, size), seed, max_size, MutateByLibFuzzer);
  return Give(made, data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b,
                                            size_t b_size, uint8_t* out, size_t max_size,
                                            unsigned int seed) {
  return Give(
      pteproof::fuzz::EntryMutator().cross(BytesAt(a, a_size), BytesAt(b, b_size), seed, max_size),
      out, max_size);
}
