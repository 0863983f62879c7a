#include "fuzz/target.h"

#include <algorithm>
#include <array>

#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array kTargets = {
    Target{"fuzz_read", FuzzRead}, Target{"fuzz_check", FuzzCheck}, Target{"fuzz_data", FuzzData},
    Target{"fuzz_text", FuzzText}, Target{"fuzz_run", FuzzRun},     Target{"fuzz_diff", FuzzDiff},
    Target{"fuzz_plan", FuzzPlan}, Target{"fuzz_agree", FuzzAgree},
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
