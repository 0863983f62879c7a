// The static check: is a program's memory plan safe, and do its methods agree on shared state?
//
// Example:
//
//   #include "pteproof/read.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok()) return 1;
//   const pteproof::Report report = pteproof::Check(file.value().program);
//   const auto verdict = pteproof::OverallOf(report.verdicts, pteproof::Policy::kShareAll);
//   return verdict == pteproof::Overall::kSafe ? 0 : 1;
#ifndef PTEPROOF_CHECK_H_
#define PTEPROOF_CHECK_H_

#include <cstdint>

#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

// How the methods are called.
enum class Use : uint8_t {
  kInTurn,      // each loaded once, one call after the other
  kReload,      // the same, and each is loaded a second time from the same program object
  kConcurrent,  // each loaded once before the first call, calls of different methods at one time
};

struct CheckOptions {
  const Manifest* manifest = nullptr;  // facts of the source model, if they are known
  bool all_first = false;  // all methods are loaded before the first call (default: at their first)
  Use use = Use::kInTurn;
};

// Checks every rule under every policy. Never fails: a question that cannot be decided is a finding
// too. Time is O(n log n) in values, arguments and instructions for straight-line code; control
// flow costs a further factor of the blocks that a value lives through.
[[nodiscard]] Report Check(const Program& program, const CheckOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_CHECK_H_
