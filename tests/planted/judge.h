// One case of a planner with a defect, judged by each checker alone.
#ifndef PTEPROOF_TESTS_PLANTED_JUDGE_H_
#define PTEPROOF_TESTS_PLANTED_JUDGE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "tests/planted/defects.h"

namespace pteproof {

enum class Checker : uint8_t {
  kFile,        // there is no plan where there should be one, or its file is no good
  kCheck,       // the static check, of the file alone or with the Module's manifest
  kProof,       // the proof, with the manifest
  kTagged,      // a run in which a read sees a byte that another write made
  kRun,         // a run gives something else than the reference: planned, or a storage per value
  kExecutorch,  // a run in ExecuTorch's own runtime does
};
inline constexpr size_t kCheckerCount = 6;
[[nodiscard]] std::string_view NameOf(Checker checker);

using Checkers = std::array<bool, kCheckerCount>;
[[nodiscard]] inline bool& At(Checkers& checkers, Checker checker) {
  return checkers[static_cast<size_t>(checker)];
}
[[nodiscard]] inline bool Has(const Checkers& checkers, Checker checker) {
  return checkers[static_cast<size_t>(checker)];
}
[[nodiscard]] bool IsAny(const Checkers& checkers);
inline constexpr Checkers kQuickCheckers = {true, true, false, true, true, false};

// The file of a plan that a defect had its hand in.
struct DefectivePlan {
  std::vector<std::byte> bytes;
  std::optional<Program> program;  // as it was read; nothing: refused, or no file
  Policy loader = Policy::kShare12;
  bool may_be_refused = false;
  std::string fault;  // why there is none, or why the file is no good
};

// Plans with the defect: a condition of the planner is planted meanwhile, for this thread.
[[nodiscard]] DefectivePlan PlanWith(const DefectRow& defect, const generators::RandomCase& c,
                                     const planner::PlanOptions& options, uint64_t seed);

// Which of the checkers that are asked see that something is wrong; kExecutorch is not asked here.
[[nodiscard]] Checkers SeenBy(const DefectRow& defect, const generators::RandomCase& c,
                              const Setting& setting, uint64_t seed, const Checkers& asked);

// What draws a case, and how it is planned and called; nothing where the draw is no Module.
struct DrawnCase {
  generators::RandomCase random;
  Setting setting;
};
[[nodiscard]] std::optional<DrawnCase> CaseOf(uint64_t seed);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_JUDGE_H_
