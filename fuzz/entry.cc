// What libFuzzer calls, once per target: PTEPROOF_FUZZ_TARGET is its name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "fuzz/stage_counts.h"
#include "fuzz/target.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using pteproof::Bytes;
using pteproof::fuzz::Buffer;

const pteproof::fuzz::Target& ThisTarget() {
  static const pteproof::fuzz::Target& target = *pteproof::fuzz::TargetNamed(PTEPROOF_FUZZ_TARGET);
  return target;
}

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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static pteproof::fuzz::StageCounts counts(std::getenv("PTEPROOF_FUZZ_STAGES"));
  counts.Add(ThisTarget().run(BytesAt(data, size)));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const Buffer made =
      ThisTarget().mutator->mutate(BytesAt(data, size), seed, max_size, MutateByLibFuzzer);
  return Give(made, data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b,
                                            size_t b_size, uint8_t* out, size_t max_size,
                                            unsigned int seed) {
  return Give(ThisTarget().mutator->cross(BytesAt(a, a_size), BytesAt(b, b_size), seed, max_size),
              out, max_size);
}
