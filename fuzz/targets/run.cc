// Loads a program under every policy and makes random calls, operators mixing bytes. Execution
// ends, whatever the program does, and what the check calls safe loses no byte.
#include <string>

#include "base/finding_names.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "fuzz/targets/targets.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/oracles/diff_program.h"
#include "pteproof/check.h"
#include "pteproof/read.h"

namespace pteproof::fuzz {

Stage FuzzRun(Bytes input) {
  const auto program = ReadProgram(input);
  if (!program.ok()) return Stage::kRefused;
  if (!IsRunnable(program.value())) return Stage::kRead;
  const Report report = Check(program.value());
  Stage stage = Stage::kJudged;
  for (const Policy policy : kAllPolicies) {
    const DiffReport runs = DiffProgram(
        program.value(),
        {.policy = policy, .seed = SeedOf(input), .sequences = 1, .longest = 4, .fuel = kFuel});
    if (runs.compared > 0) stage = Stage::kRan;
    const std::string loss = LossInSafe(report, runs, policy);
    if (!loss.empty() && SaysWhatSharesBytes(program.value()))
      Fail("what is called safe loses no byte", loss);
  }
  return stage;
}

}  // namespace pteproof::fuzz
