// What libFuzzer calls, once per target: PTEPROOF_FUZZ_TARGET is its name.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const pteproof::fuzz::Target& target = *pteproof::fuzz::TargetNamed(PTEPROOF_FUZZ_TARGET);
  static_cast<void>(target.run(std::as_bytes(std::span(data, size))));
  return 0;
}
