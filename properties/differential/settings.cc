#include "properties/differential/settings.h"

#include <iterator>

#include "base/finding_names.h"
#include "properties/generators/build_module.h"

namespace pteproof {

Setting SettingOf(uint64_t number) {
  constexpr uint64_t kAlgorithmCount = std::size(placement::kAlgorithms);
  Setting setting;
  planner::PlanOptions& options = setting.options;
  options.algorithm = placement::kAlgorithms[number % kAlgorithmCount];
  // Enough to be right; whether a layout is the best one is asked elsewhere.
  options.effort = placement::Effort{.steps = 20'000};
  options.policy = number / kAlgorithmCount % 2 == 0 ? Policy::kShare12 : Policy::kShareAll;
  setting.name =
      std::string(placement::NameOf(options.algorithm)) + ", " + std::string(Name(options.policy));
  CaseWays& ways = setting.ways;
  if (number / 14 % 3 == 1) ways.semantics = Semantics::kReal;
  setting.name += ways.semantics == Semantics::kReal ? ", real" : ", hash";
  // Expensive settings are used now and then: all of them within any 24 cases.
  ways.manifest = number % 4 == 2;
  ways.tagged = number % 2 == 0 || ways.semantics == Semantics::kReal;
  ways.lazy = number % 3 == 1;
  ways.restart = number % 4 == 1;
  ways.twin = number % 8 == 3;
  // Numbers without a common factor, so that all combinations come.
  if (number % 5 == 4) {
    options.plan_inputs = false;
    options.plan_outputs = number % 15 == 14;
    setting.name += options.plan_outputs ? ", unplanned inputs" : ", unplanned inputs and outputs";
  }
  if (number % 9 == 8) {
    options.passes = {false, false, false, false, false, false, false};
    setting.name += ", no passes";
  } else if (number % 19 >= 14) {
    options.passes.elide_slices = true;
    setting.name += ", slices in their operands";
  }
  if (number % 11 >= 8) {
    options.alignment = 1;
    setting.name += ", alignment 1";
  }
  if (number % 13 == 12) {
    options.module_init = true;
    setting.name += ", et_module_init";
  }
  if (number % 17 >= 8) {
    options.banks = {{.bank = {.name = "default"}, .memory_id = planner::kActivationBank},
                     {.bank = {.name = std::string(generators::kDevicePool)},
                      .memory_id = planner::kPrivateBank + 1,
                      .on_device = true}};
    setting.name += ", a bank on a device";
  }
  return setting;
}

}  // namespace pteproof
