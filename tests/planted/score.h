// How soon each checker sees a defect: the harness's score.
#ifndef PTEPROOF_TESTS_PLANTED_SCORE_H_
#define PTEPROOF_TESTS_PLANTED_SCORE_H_

#include <array>
#include <cstdint>
#include <optional>

#include "tests/planted/hunt.h"
#include "tests/planted/judge.h"

namespace pteproof {

// How often each checker is asked, and for how many cases.
struct ScoreEffort {
  uint64_t seeds = 20;  // of the checkers in this process
  uint64_t cases = 10'000;
  uint64_t misses = 3;  // with these first seeds in vain, a checker is not asked again
  uint64_t proof_seeds = 3;
  uint64_t proof_cases = 200;
  uint64_t executorch_cases = 500;
};

struct Score {
  // Per checker: cases up to the first in which it sees the defect, the median of the seeds, a vain
  // one being the most there is. Nothing: in half of them it saw none.
  std::array<std::optional<uint64_t>, kCheckerCount> cases = {};
  Checkers asked = {};
  std::optional<Find> find;  // from the first seed on
  double seconds = 0;        // all of it

  // Checkers that see it, the file's own faults not counted.
  [[nodiscard]] int checkers() const;
  [[nodiscard]] bool IsFound() const;
};

[[nodiscard]] Score ScoreOf(const DefectRow& defect, const ScoreEffort& effort);

// The first seed of the `nth` sequence of cases.
[[nodiscard]] constexpr uint64_t SeedOf(uint64_t nth) {
  return nth * 1'000'003;
}

// Whether ExecuTorch's own runtime is there to be asked.
[[nodiscard]] bool HasExecutorch();
// Cases that it can run, up to the first whose results are not the reference's; nothing: none of
// `most` from seed 0 on.
[[nodiscard]] std::optional<uint64_t> CasesInExecutorch(const DefectRow& defect, uint64_t most);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_SCORE_H_
