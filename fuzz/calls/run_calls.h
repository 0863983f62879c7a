// Runs a draft: written, read, and then as planned and in the reference, under both semantics.
#ifndef PTEPROOF_FUZZ_CALLS_RUN_CALLS_H_
#define PTEPROOF_FUZZ_CALLS_RUN_CALLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/calls/make_draft.h"
#include "fuzz/target.h"

namespace pteproof::fuzz {

// What became of a kernel call in the first planned run.
enum class Fate : uint8_t {
  kReached,  // its kernel ran to its end
  kRefused,  // there, and no later, the run ended
  kNotCome,  // the run ended before
};

struct CallFate {
  std::string_view op;
  Fate fate = Fate::kNotCome;
  std::string why;  // kRefused
};

struct CallsRun {
  Stage stage = Stage::kRefused;
  std::vector<CallFate> fates;  // of the draft's kernel calls, in order
};

// Aborts where a promise is broken: a run ends within a bound on work.
[[nodiscard]] CallsRun RunCalls(const CallsPlan& plan);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_RUN_CALLS_H_
