// The proof: all that has to hold of a memory plan, one obligation at a time, each decided by Z3
// for every size that is admitted. Shares no analysis with check.h.
//
// Example:
//
//   #include "pteproof/read.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok()) return 1;
//   const pteproof::Proof proof = pteproof::Prove(file.value().program, {.seconds = 60});
//   const auto verdict = pteproof::OverallOf(proof.verdicts, std::nullopt);
//   return verdict == pteproof::Overall::kSafe && proof.open.empty() ? 0 : 1;
#ifndef PTEPROOF_PROVE_H_
#define PTEPROOF_PROVE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

// The orders of instructions for which a plan is proved.
enum class ProofOrder : uint8_t {
  kListed,  // as they are listed
  kAny,     // any that respects the flow of data, as a parallel executor may choose
  kStrict,  // the same, and an operand that is overwritten has no other reader
};

struct ProveOptions {
  const Manifest* manifest = nullptr;  // facts of the source model, if they are known
  bool all_first = false;  // all methods are loaded before the first call (default: at their first)
  ProofOrder order = ProofOrder::kListed;
  double seconds_each = 10;            // for one obligation
  std::optional<double> seconds = {};  // for all of them: the rest is unknown then
  uint32_t megabytes = 1'024;          // of the solver's memory
  // Called after each obligation; false: the rest is unknown.
  std::function<bool(size_t done, size_t total)> go_on = nullptr;
};

// An obligation that is not proved.
struct OpenObligation {
  enum class Kind : uint8_t {
    kRefuted,  // it does not hold
    kUnknown,  // the solver does not decide it
    kVacuous,  // it follows from ranges of sizes that cannot be met
  };
  Kind kind = Kind::kRefuted;
  std::string_view rule;        // the rule that is broken if it does not hold, in static storage
  bool undecided = false;       // refuted: that leaves two readings, of which one is an error
  bool suppressed = false;      // the manifest says that it is known: it counts for no verdict
  PolicySet policies;           // under which it must hold
  std::string method;           // empty: the whole program
  int32_t instruction = -1;     // at which it must hold; -1: throughout
  std::vector<int32_t> values;  // value indices, the one that matters most first
  std::string text;             // refuted: the lost value; else: the reason why it is open
  // Refuted: sizes for which it does not hold, by name; a size that 64 bits do not hold is the
  // nearest one that they do.
  std::vector<std::pair<std::string, int64_t>> sizes;
};

struct Proof {
  // kSafe: all obligations are proved; kUnsafe: one is refuted; kUndecided: one is unknown, or is
  // refuted and leaves two readings.
  Verdicts verdicts{};
  size_t proved = 0;
  size_t refuted = 0;
  size_t unknown = 0;
  // False: a second count of the obligations finds more, or memory ran out. Nothing is proved.
  bool complete = true;
  std::vector<OpenObligation> open;      // in the order in which the program is gone through
  std::vector<std::string> assumptions;  // facts that the file leaves open and the proof assumes
  std::string solver;                    // "Z3 4.8.12"
};

// Never fails: an obligation that cannot be decided is unknown. O(n log n) obligations for
// straight-line code; each takes some 0.1 ms if its sizes are numbers.
[[nodiscard]] Proof Prove(const Program& program, const ProveOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_PROVE_H_
