// Loads a program under every policy and makes random calls, operators mixing bytes. Execution
// ends, whatever the program does, and what the check calls safe loses no byte.
#include <algorithm>
#include <string>

#include "base/finding_names.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "fuzz/targets/targets.h"
#include "properties/agreement/judge_all_checkers.h"
#include "properties/oracles/diff_program.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/execute/instance.h"

namespace pteproof::fuzz {

namespace {

// Banks of a device are the caller's to bring: without it nothing is loaded, as the host would
// reach for bytes that are not its own.
void RequireDevicesOfTheCaller(const Program& program) {
  const bool any = std::ranges::any_of(program.methods, [](const Method& method) {
    return std::ranges::any_of(method.bank_devices, [&](const BankDevice& device) {
      const auto bank = static_cast<size_t>(device.bank);
      return device.device_type != 0 && bank > 0 && bank < method.bank_sizes.size();
    });
  });
  if (any) Require(!Instance::Load(program).ok(), "banks of devices are the caller's");
}

}  // namespace

Stage FuzzRun(Bytes input) {
  const auto program = ReadProgram(input);
  if (!program.ok()) return Stage::kRefused;
  if (!IsRunnable(program.value())) return Stage::kRead;
  RequireDevicesOfTheCaller(program.value());
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
