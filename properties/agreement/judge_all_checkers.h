// One program judged by four checkers: check, proof, tagged run and differential run. If two of
// them disagree and nothing explains it, one of them is wrong.
#ifndef PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_ALL_CHECKERS_H_
#define PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_ALL_CHECKERS_H_

#include <cstdint>
#include <string>

#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof {

struct CheckersOptions {
  Policy policy = Policy::kShareAll;  // of the runs; check and proof judge all of them
  uint64_t seed = 0;                  // of the runs
  int sequences = 8;
  // The inputs of the runs, if sizes vary; null: any inputs that the file takes. The other checkers
  // judge the file alone.
  const Manifest* manifest = nullptr;
  int64_t fuel = 20'000;  // of the runs: instructions of a call
  bool proof = true;      // false: the others are asked alone
  bool fast = false;      // of the proof: numbers are not sent to the solver
};

struct CheckersVerdict {
  Report check;
  proofs::Proof proof;
  DiffReport runs;           // planned against a storage per value, and tagged
  std::string unseen;        // unsafe, yet no run shows it: the reason; empty: it is seen
  std::string disagreement;  // empty: the checkers agree
  bool proof_agrees = true;  // with the check: then a disagreement is one of the runs
};

// The loss that the runs find although the check calls the program safe under their policy. Empty:
// none, or the check says that no method observes it.
[[nodiscard]] std::string LossInSafe(const Report& check, const DiffReport& runs, Policy policy);

[[nodiscard]] CheckersVerdict JudgeAllCheckers(const Program& program,
                                               const CheckersOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_AGREEMENT_JUDGE_ALL_CHECKERS_H_
