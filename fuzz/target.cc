#include "fuzz/target.h"

#include <algorithm>
#include <array>

#include "fuzz/mutate/mutators.h"
#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array kTargets = {
    Target{"fuzz_read", FuzzRead, &kReaderMutator},
    Target{"fuzz_check", FuzzCheck, &kProgramMutator},
    Target{"fuzz_data", FuzzData, &kDataMutator},
    Target{"fuzz_text", FuzzText, &kTextMutator},
    Target{"fuzz_run", FuzzRun, &kProgramMutator},
    Target{"fuzz_diff", FuzzDiff, &kChoicesMutator},
    Target{"fuzz_plan", FuzzPlan, &kItemsMutator},
    Target{"fuzz_agree", FuzzAgree, &kProgramMutator},
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
