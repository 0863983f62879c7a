// What libFuzzer calls, once per target: PTEPROOF_FUZZ_TARGET is its name.
#include "fuzz/entry.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "fuzz/stage_counts.h"
#include "fuzz/target.h"

namespace {

const pteproof::fuzz::Target& ThisTarget() {
  static const pteproof::fuzz::Target& target = *pteproof::fuzz::TargetNamed(PTEPROOF_FUZZ_TARGET);
  return target;
}

}  // namespace

const pteproof::fuzz::Mutator& pteproof::fuzz::EntryMutator() {
  return *ThisTarget().mutator;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static pteproof::fuzz::StageCounts counts(std::getenv("PTEPROOF_FUZZ_STAGES"));
  const auto stage = ThisTarget().run(std::as_bytes(std::span(data, size)));
  counts.Add(stage);
  constexpr int kDoNotKeep = -1;
  return stage == pteproof::fuzz::Stage::kRefused && !ThisTarget().keeps_refused ? kDoNotKeep : 0;
}
