#include "fuzz/target.h"

#include <algorithm>
#include <array>

#include "fuzz/mutate/mutators.h"
#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

constexpr auto kTargets = std::to_array<Target>({
    {"fuzz_read", "program", true, FuzzRead, &kReaderMutator},
    {"fuzz_check", "program", false, FuzzCheck, &kProgramMutator},
    {"fuzz_data", "data", true, FuzzData, &kDataMutator},
    {"fuzz_text", "text", true, FuzzText, &kTextMutator},
    {"fuzz_run", "program", false, FuzzRun, &kProgramMutator},
    {"fuzz_diff", "choices", false, FuzzDiff, &kChoicesMutator},
    {"fuzz_plan", "items", false, FuzzPlan, &kItemsMutator},
    {"fuzz_agree", "program", false, FuzzAgree, &kProgramMutator},
    {"fuzz_kernels", "calls", false, FuzzKernels, &kCallsMutator},
    {"fuzz_blob", "blob", false, FuzzBlob, &kDataMutator},
#ifdef PTEPROOF_FUZZ_CALL  // it calls the shared library
    {"fuzz_call", "call", false, FuzzCall, &kCallMutator},
#endif
});

}  // namespace

std::span<const Target> AllTargets() {
  return kTargets;
}

const Target* TargetNamed(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

}  // namespace pteproof::fuzz
