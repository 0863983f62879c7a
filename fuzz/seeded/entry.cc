// What libFuzzer calls, for any target: PTEPROOF_FUZZ_TARGET in the environment is its name.
#include "fuzz/entry.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "fuzz/target.h"

namespace {

using pteproof::fuzz::Target;

constexpr int kUsage = 64;

// A name that is wrong ends the process before anything is measured.
const Target& AskedTarget() {
  const char* const name = std::getenv("PTEPROOF_FUZZ_TARGET");
  const Target* const target = pteproof::fuzz::TargetNamed(name == nullptr ? "" : name);
  if (target != nullptr) return *target;
  fmt::print(stderr, "PTEPROOF_FUZZ_TARGET is not the name of a target (fuzz/targets.txt).\n");
  std::exit(kUsage);
}

const Target& ThisTarget() {
  static const Target& target = AskedTarget();
  return target;
}

}  // namespace

const pteproof::fuzz::Mutator& pteproof::fuzz::EntryMutator() {
  return *ThisTarget().mutator;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  static_cast<void>(ThisTarget());
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto stage = ThisTarget().run(std::as_bytes(std::span(data, size)));
  constexpr int kDoNotKeep = -1;
  return stage == pteproof::fuzz::Stage::kRefused && !ThisTarget().keeps_refused ? kDoNotKeep : 0;
}
