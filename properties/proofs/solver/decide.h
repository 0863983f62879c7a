// Decides a list of obligations with a solver, over mathematical integers: no number wraps.
// Independent of the subject of an obligation.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_DECIDE_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_DECIDE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/proofs/terms/obligation.h"

namespace pteproof::proofs {

enum class SolverChoice : uint8_t { kZ3, kCvc5, kBoth };  // both: Z3's answer, compared with cvc5's

struct DecideOptions {
  bool fast = false;  // what constants decide is computed here, and not sent to a solver
  uint32_t milliseconds = 10'000;  // for one obligation, and for each bound that is shown for it
  uint32_t megabytes = 1'024;      // of the solver's memory; Z3 counts the whole process's
  SolverChoice solver = SolverChoice::kZ3;
  std::string cvc5 = "cvc5";  // the executable, looked for in PATH
  std::function<void(size_t done, size_t total)> progress = nullptr;  // after each
  // Asked before each; true: it is unknown, and so are those after it.
  std::function<bool()> stop = nullptr;
  std::optional<std::filesystem::path> smt_dir = std::nullopt;  // is there; gets each query
};

enum class How : uint8_t {
  kFolded,       // constants decided it, computed here
  kSolver,       // a solver, from the ranges of the symbols that it mentions
  kLemmas,       // a solver, from bounds of defined symbols that were shown before
  kDefinitions,  // a solver, from definitions: the bounds do not suffice, or do not hold
};

struct ModelValue {
  int32_t symbol = 0;
  int64_t value = 0;
  bool exact = true;  // false: 64 bits do not hold it, and the value is the nearest that they do
};

struct Decision {
  Answer answer = Answer::kUnknown;
  How how = How::kSolver;
  std::vector<ModelValue> model;  // refuted: by id; all symbols that were mentioned, also by
                                  // definitions. It was checked: the goal does not hold there
  std::string reason;             // unknown: why
  std::vector<std::string> core;  // proved: the facts that sufficed, as "n <= 8"
  std::vector<int32_t> lemmas;    // the symbols whose bounds, shown before, are among them
  std::vector<int32_t> unshown;   // the symbols of the goal whose bounds could not be shown
  bool vacuous = false;           // the facts cannot be met: the goal holds for no reason at all
  bool needs_no_facts = false;    // proved: and would be without any range of its symbols
  bool shared = false;            // an equal question had been asked before
  double seconds = 0;             // without those for bounds that others need, too
  std::string smt_file;           // the query that decided it; empty where none was written
  // Of the second solver, where it was asked.
  std::optional<Answer> second;
  std::string second_reason;
  bool disagree = false;  // one proves what the other refutes
};

// One decision per obligation, in order. Never throws for a failure of a solver: that is kUnknown
// with a reason. Some 0.1 ms for a new linear obligation.
[[nodiscard]] std::vector<Decision> Decide(const Obligations& obligations,
                                           const DecideOptions& options = {});

// "Z3 4.8.12".
[[nodiscard]] std::string Z3Version();

// Why the options cannot be used here: a solver that does not start, a folder that is not there.
// Nothing: they can.
[[nodiscard]] std::optional<std::string> WhyNotUsable(const DecideOptions& options);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_DECIDE_H_
