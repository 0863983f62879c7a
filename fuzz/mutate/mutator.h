// What a mutator is: bytes and a seed to other bytes. The same for libFuzzer, tests and tools.
#ifndef PTEPROOF_FUZZ_MUTATE_MUTATOR_H_
#define PTEPROOF_FUZZ_MUTATE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::fuzz {

using Buffer = std::vector<std::byte>;

// Changes the first `size` bytes of `room` without knowing what they mean; the new size, at most
// room.size(). In a fuzzer that is libFuzzer's own mutator, elsewhere SimpleByteMutator.
using ByteMutator = std::function<size_t(std::span<std::byte> room, size_t size)>;

// Both take any bytes, give at most `max_size` of them, and depend on their arguments alone.
struct Mutator {
  Buffer (*mutate)(Bytes input, uint64_t seed, size_t max_size, const ByteMutator& bytes);
  Buffer (*cross)(Bytes a, Bytes b, uint64_t seed, size_t max_size);
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_MUTATOR_H_
