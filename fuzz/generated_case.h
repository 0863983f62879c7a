// Bytes to a random Module with calls, by way of the generator.
#ifndef PTEPROOF_FUZZ_GENERATED_CASE_H_
#define PTEPROOF_FUZZ_GENERATED_CASE_H_

#include <cstddef>
#include <vector>

#include "properties/generators/build_module.h"
#include "pteproof/program.h"

namespace pteproof::fuzz {

// The first two bytes number the setting (properties/differential/settings.h); the others are what
// the generator draws from. Few bytes make a small case.
struct GeneratedCase {
  uint64_t setting = 0;
  generators::RandomCase c;
};

[[nodiscard]] GeneratedCase GeneratedFrom(Bytes choices);

// The same choices with the Module that comes of them.
[[nodiscard]] std::vector<std::byte> EnvelopeOf(Bytes choices);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_GENERATED_CASE_H_
