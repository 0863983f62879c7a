// Which programs a target executes: small ones, so that an input takes milliseconds at most.
#ifndef PTEPROOF_FUZZ_RUNNABLE_H_
#define PTEPROOF_FUZZ_RUNNABLE_H_

#include <cstdint>

#include "pteproof/program.h"
#include "runtime/execute/run_limits.h"

namespace pteproof::fuzz {

inline constexpr int64_t kFuel = 2'000;  // instructions of a call: loops need not end

// What a call of them may take: a limit that is not kept shows in time.
inline constexpr RunLimits kFuzzLimits = {.memory = uint64_t{512} << 10, .work = int64_t{1} << 19};

// Whether all banks and all tensors together take at most 64 kB. Plans do not get wrong in new ways
// where tensors are larger.
[[nodiscard]] bool IsRunnable(const Program& program);

// Whether no value has to be taken for a buffer or for an elided view because of its place and its
// number. Exporters keep to an order that tells; a mutant need not, and then the checkers may take
// it for different things without any being wrong.
[[nodiscard]] bool SaysWhatSharesBytes(const Program& program);

// A number that depends on every byte: what a target draws at random is the same whenever the input
// is tried again.
[[nodiscard]] uint64_t SeedOf(Bytes input);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_RUNNABLE_H_
