// Tries the mutants of a program in a process of its own, so that one which ends it is a find, and
// the next one is tried by another process.
#ifndef PTEPROOF_FUZZ_FIELDS_WORKER_H_
#define PTEPROOF_FUZZ_FIELDS_WORKER_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/fields/listing.h"
#include "fuzz/fields/stages.h"

namespace pteproof::fuzz::fields {

// What became of the mutants that were tried.
struct Counts {
  std::array<uint64_t, kOutcomeCount> by_outcome = {};
  uint64_t repeated = 0;  // the same bytes as an earlier one's
  uint64_t broke = 0;
  std::array<uint64_t, kStepCount> microseconds = {};  // of processor time, by step
  [[nodiscard]] uint64_t Sum() const;
};

// A mutant that ended its process.
struct Find {
  uint64_t number = 0;
  Step step = Step::kRead;
  std::string ended;               // "signal 6", "exit code 1", "more than 1,200 MB"
  std::vector<std::string> words;  // of what it said: errors and frames, some lines
};

struct Limits {
  double seconds = 3600;                     // by the clock, for all
  double step_seconds = 2;                   // of processor time, for one step
  uint64_t megabytes = 1200;                 // resident
  std::filesystem::path log = "fields.log";  // what a process says
};

// A program's mutants, and how far they are tried.
struct Trials {
  Listing* listing = nullptr;
  const Program* original = nullptr;  // null: the reader refuses it
  Range range;                        // its first has not been tried yet
  Counts counts;
  std::function<void(const Find&)> found;
  // What is done with each, in a process of its own.
  std::function<Outcome(Bytes mutant, const Program* original,
                        const std::function<void(Step)>& begins)>
      tries = TryMutant;
};

// Until all are tried, which it says, or the time is over.
[[nodiscard]] bool TryAll(Trials& trials, const Limits& limits);

// Which find this is like: its step, and its first words and frames without what varies.
[[nodiscard]] std::string GroupOf(const Find& find);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_WORKER_H_
