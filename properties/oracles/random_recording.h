// Calls for a program that nobody recorded any for.
#ifndef PTEPROOF_PROPERTIES_ORACLES_RANDOM_RECORDING_H_
#define PTEPROOF_PROPERTIES_ORACLES_RANDOM_RECORDING_H_

#include <cstdint>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// One sequence on random inputs, in which every method is called twice, in the file's order. If the
// manifest, which may be null, states a protocol: as many calls in its order, the methods that were
// called least first. It says too which inputs the methods take.
[[nodiscard]] Recording RandomRecording(const Program& program, uint64_t seed, Policy policy,
                                        const Manifest* manifest = nullptr);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_RANDOM_RECORDING_H_
