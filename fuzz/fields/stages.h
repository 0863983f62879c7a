// All that pteproof does with a program, one step after the other, for one mutant of it.
#ifndef PTEPROOF_FUZZ_FIELDS_STAGES_H_
#define PTEPROOF_FUZZ_FIELDS_STAGES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof::fuzz::fields {

enum class Step : uint8_t {
  kRead,
  kWrite,
  kCheck,
  kProve,
  kLoad,
  kTagged,
  kEval,
  kRunReal,
  kRunHash,
  kDiff,
  kCompare,
  kReplan,
  kPromises,
};
inline constexpr int kStepCount = 13;

[[nodiscard]] std::string_view NameOf(Step step);

enum class Outcome : uint8_t {
  kRefused,   // by the reader
  kAsBefore,  // the change means nothing: the program is the one that it was made of
  kJudged,    // too large to be run here
  kRan,
};
inline constexpr int kOutcomeCount = 4;

// What is run: banks and tensors together, so that a mutant takes milliseconds.
inline constexpr uint64_t kMostBytesRun = 256 * 1024;

// Tells `begins` of each step before it begins. A promise that is broken ends the process
// (fuzz/require.h), after all steps that were possible.
[[nodiscard]] Outcome TryMutant(Bytes mutant, const Program* original,
                                const std::function<void(Step)>& begins);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_STAGES_H_
