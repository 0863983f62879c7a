// Check, planned run, tagged run and, for a share of the inputs, proof come to one verdict, and the
// certificate's checker confirms it if it is safe.
#include "base/finding_names.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "fuzz/targets/targets.h"
#include "fuzz/twin_vote.h"
#include "properties/agreement/judge_all_checkers.h"
#include "pteproof/read.h"

namespace pteproof::fuzz {
namespace {

// A proof takes about as long as ten checks and runs.
constexpr uint64_t kInputsPerProof = 4;

}  // namespace

Stage FuzzAgree(Bytes input) {
  const auto program = ReadProgram(input);
  if (!program.ok()) return Stage::kRefused;
  if (!IsRunnable(program.value())) return Stage::kRead;
  static TwinTally tally;
  const uint64_t seed = SeedOf(input);
  const Policy policy = kAllPolicies[seed / kInputsPerProof % kPolicyCount];
  const CheckersVerdict checkers =
      JudgeAllCheckers(program.value(), {.policy = policy,
                                         .seed = seed,
                                         .sequences = 2,
                                         .fuel = kFuel,
                                         .proof = seed % kInputsPerProof == 0});
  const bool by_runs = checkers.proof_agrees && !SaysWhatSharesBytes(program.value());
  if (!checkers.disagreement.empty() && !by_runs) Fail("the checkers agree", checkers.disagreement);
  const TwinAnswer twin = AskTwin(program.value(), input, checkers.check, policy);
  tally.Add(twin);
  if (twin.vote == TwinVote::kRefuses && TwinTally::IsStrict()) {
    Fail("the certificate's checker confirms", twin.why);
  }
  return checkers.runs.compared > 0 ? Stage::kRan : Stage::kJudged;
}

}  // namespace pteproof::fuzz
