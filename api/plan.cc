#include "pteproof/plan.h"

#include <bit>
#include <limits>
#include <utility>

#include "base/within_memory.h"
#include "planner/plan.h"
#include "properties/manifest/of_plan.h"
#include "pteproof/write.h"
#include "reference/graph/parse.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

planner::PlanOptions ToPlannerOptions(const PlanModuleOptions& options) {
  planner::PlanOptions asked;
  asked.policy = options.policy;
  asked.algorithm = options.algorithm;
  if (options.seconds) {
    asked.effort = placement::Effort{std::numeric_limits<int64_t>::max(), options.seconds};
  }
  asked.alignment = options.alignment;
  asked.plan_inputs = options.plan_inputs;
  asked.plan_outputs = options.plan_outputs;
  asked.plan_buffers = options.plan_buffers;
  return asked;
}

Result<PlannedModule, PlanModuleError> PlanText(std::string_view text,
                                                const PlanModuleOptions& options) {
  if (!std::has_single_bit(static_cast<uint64_t>(options.alignment)) || options.alignment < 0) {
    return PlanModuleError{
        0, 0, "", "alignment " + std::to_string(options.alignment) + " is not a power of two"};
  }
  const auto module = graph::Parse(text);
  if (!module.ok()) {
    const graph::ParseError& error = module.error();
    return PlanModuleError{error.line, error.column, "", error.message};
  }
  const planner::PlanOptions asked = ToPlannerOptions(options);
  auto planned = planner::Plan(module.value(), asked);
  if (!planned.ok()) return PlanModuleError{0, 0, planned.error().method, planned.error().what};
  auto manifest = ManifestOfPlan(module.value(), asked, planned.value().program);
  if (!manifest.ok()) return PlanModuleError{0, 0, "", manifest.error()};
  auto bytes = WriteProgram(planned.value().program);
  if (!bytes.ok()) return PlanModuleError{0, 0, "", bytes.error()};
  manifest.value().program_sha256 = Sha256Hex(bytes.value());

  PlannedModule made{std::move(bytes).value(),
                     std::move(manifest).value(),
                     {},
                     std::move(planned.value().warnings)};
  for (const planner::BankReport& bank : planned.value().report) {
    made.banks.push_back({bank.method, bank.bank, bank.peak, bank.load, bank.naive});
  }
  return made;
}

}  // namespace

Result<PlannedModule, PlanModuleError> PlanModule(std::string_view text,
                                                  const PlanModuleOptions& options) {
  return WithinMemory([&] { return PlanText(text, options); },
                      []() -> Result<PlannedModule, PlanModuleError> {
                        return PlanModuleError{0, 0, "", "out of memory"};
                      });
}

}  // namespace pteproof
