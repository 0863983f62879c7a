// The fuzz targets: what each does with one input. libFuzzer, the tests that replay the corpus and
// the tools that measure all take them from here.
#ifndef PTEPROOF_FUZZ_TARGET_H_
#define PTEPROOF_FUZZ_TARGET_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "fuzz/mutate/mutator.h"
#include "pteproof/program.h"

namespace pteproof::fuzz {

// How far an input got. What is refused early tests only what refuses it.
enum class Stage : uint8_t {
  kRefused,  // no file, no text, no plan
  kRead,     // read, and walked whole
  kJudged,   // checked, or planned
  kRan,      // at least one call was made
};
inline constexpr int kStageCount = 4;

struct Target {
  std::string_view name;  // "fuzz_read"
  // What its inputs are: the folder of corpus/seeds and of corpus/regressions that they lie in.
  // Targets of one kind feed each other.
  std::string_view kind;
  // Whether inputs that are refused are of interest: else none is kept, so that mutation starts
  // from those that get further.
  bool keeps_refused;
  // Tries one input. Aborts where a promise is broken (require.h).
  Stage (*run)(Bytes input);
  // How inputs for it are made of others.
  const Mutator* mutator;
};

[[nodiscard]] std::span<const Target> AllTargets();

// Null: there is none of that name.
[[nodiscard]] const Target* TargetNamed(std::string_view name);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_TARGET_H_
