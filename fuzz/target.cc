#include "fuzz/target.h"

#include <algorithm>
#include <array>

#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array kTargets = {
    Target{"fuzz_read", "program", FuzzRead}, Target{"fuzz_check", "program", FuzzCheck},
    Target{"fuzz_data", "data", FuzzData},    Target{"fuzz_text", "text", FuzzText},
    Target{"fuzz_run", "program", FuzzRun},   Target{"fuzz_diff", "choices", FuzzDiff},
    Target{"fuzz_plan", "items", FuzzPlan},   Target{"fuzz_agree", "program", FuzzAgree},
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
