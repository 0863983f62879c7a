// libFuzzer target: any bytes through the reader, then the checks.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/fuzz_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pteproof::FuzzCheck(std::as_bytes(std::span(data, size)));
  return 0;
}
