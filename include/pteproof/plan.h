// The planner: a Module as text (docs/reference/modules.md) to a `.pte` file that ExecuTorch loads.
// Sizes are bytes.
//
// Example:
//
//   #include "pteproof/check.h"
//   #include "pteproof/read.h"
//
//   const auto planned = pteproof::PlanModule(R"(
//   method forward(%x: float32[2, 3]) {
//     %0: float32[2, 3] = aten::add.out(%x, %x, 1)
//     return %0
//   }
//   )");
//   if (!planned.ok()) return 1;
//   const auto program = pteproof::ReadProgram(planned.value().bytes);
//   if (!program.ok()) return 1;
//   const auto report =
//       pteproof::Check(program.value(), {.manifest = &planned.value().manifest});
//   return report.verdicts[0] == pteproof::Verdict::kSafe ? 0 : 1;
#ifndef PTEPROOF_PLAN_H_
#define PTEPROOF_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/place.h"
#include "pteproof/result.h"

namespace pteproof {

struct PlanModuleOptions {
  Policy policy = Policy::kShare12;  // how the file will be loaded
  placement::Algorithm algorithm = placement::Algorithm::kBest;
  // As in PlaceOptions, for each bank of each method.
  std::optional<double> seconds = {};
  int64_t alignment = 16;    // of every offset; a power of two
  bool plan_inputs = true;   // false: the caller sets their memory
  bool plan_outputs = true;  // the same of outputs
  bool plan_buffers = true;  // false: mutable buffers have names and no place
};

// How full a bank of a method is.
struct PlannedBank {
  std::string method;
  int32_t bank = 0;             // memory id
  int64_t peak = 0;             // the end of the last storage
  int64_t peak_live = 0;        // the most that is live at one time point: no plan is smaller
  int64_t without_sharing = 0;  // the storages one after the other
};

struct PlannedModule {
  std::vector<std::byte> bytes;  // of the `.pte` file
  Manifest manifest;             // facts of the Module that the file does not hold
  std::vector<PlannedBank> banks;
  std::vector<std::string> warnings;
};

// The reason for a refusal.
struct PlanModuleError {
  int line = 0;        // of the text, from 1; 0: the text is well-formed
  int column = 0;      // in characters, from 1
  std::string method;  // empty: the Module
  std::string what;    // the mistake, and the next step
};

// A pure function, except for `seconds`: equal arguments, equal bytes. Errors: the text is not a
// well-formed Module; a dim has no bound; the options have no plan.
[[nodiscard]] Result<PlannedModule, PlanModuleError> PlanModule(
    std::string_view text, const PlanModuleOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_PLAN_H_
