// What libFuzzer calls, once per target: PTEPROOF_FUZZ_TARGET is its name.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "fuzz/stage_counts.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fuzz = pteproof::fuzz;
  static const fuzz::Target& target = *fuzz::TargetNamed(PTEPROOF_FUZZ_TARGET);
  static fuzz::StageCounts counts(std::getenv("PTEPROOF_FUZZ_STAGES"));
  counts.Add(target.run(std::as_bytes(std::span(data, size))));
  return 0;
}
