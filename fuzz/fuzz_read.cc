// libFuzzer target: any bytes through the reader.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/fuzz_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pteproof::FuzzRead(std::as_bytes(std::span(data, size)));
  return 0;
}
