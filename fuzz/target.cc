#include "fuzz/target.h"

#include <algorithm>
#include <array>

#include "fuzz/mutate/mutators.h"
#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array kTargets = {
    Target{"fuzz_read", "program", true, FuzzRead, &kReaderMutator},
    Target{"fuzz_check", "program", false, FuzzCheck, &kProgramMutator},
    Target{"fuzz_data", "data", true, FuzzData, &kDataMutator},
    Target{"fuzz_text", "text", true, FuzzText, &kTextMutator},
    Target{"fuzz_run", "program", false, FuzzRun, &kProgramMutator},
    Target{"fuzz_diff", "choices", false, FuzzDiff, &kChoicesMutator},
    Target{"fuzz_plan", "items", false, FuzzPlan, &kItemsMutator},
    Target{"fuzz_agree", "program", false, FuzzAgree, &kProgramMutator},
    Target{"fuzz_kernels", "calls", false, FuzzKernels, &kCallsMutator},
    Target{"fuzz_blob", "blob", false, FuzzBlob, &kDataMutator},
};

}  // namespace

std::span<const Target> AllTargets() {
  return kTargets;
}

const Target* TargetNamed(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

}  // namespace pteproof::fuzz
