// How far the outputs of a mutator get: what is refused early tests only what refuses it.
#ifndef PTEPROOF_FUZZ_MUTATE_SHARES_H_
#define PTEPROOF_FUZZ_MUTATE_SHARES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "fuzz/target.h"

namespace pteproof::fuzz {

// Numbers of outputs; each counts in all the stages that it passed.
struct Shares {
  size_t outputs = 0;
  size_t contained = 0;  // header and tables are right: FlatBuffers' verifier finds nothing
  size_t read = 0;       // the reader finds nothing
  size_t judged = 0;     // small enough for fuzz_run to check
  size_t ran = 0;        // at least one call was made
  double seconds = 0;    // of a processor, for mutation alone

  [[nodiscard]] double PercentOf(size_t number) const {
    return outputs == 0 ? 0 : 100.0 * static_cast<double>(number) / static_cast<double>(outputs);
  }
};

// Nothing: there is no output to count.
using Mutate = std::function<std::optional<Buffer>(Bytes input, uint64_t seed)>;

// `count` outputs, of each input in turn, with the seeds 0 to count.
[[nodiscard]] Shares MeasureShares(const std::vector<Buffer>& inputs, size_t count,
                                   const Mutate& mutate);

// Those of a mutator that has the plain byte mutator below it, within 4 x the input and 4 kB.
[[nodiscard]] Mutate Under(const Mutator& mutator);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_MUTATE_SHARES_H_
