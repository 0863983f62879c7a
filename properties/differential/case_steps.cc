#include "properties/differential/case_steps.h"

#include <algorithm>
#include <utility>

#include "base/rule_names.h"
#include "properties/manifest/fit.h"
#include "properties/manifest/of_plan.h"
#include "properties/manifest/render.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/graph/functionalize.h"
#include "runtime/same_program.h"

namespace pteproof {

bool MayBeRefused(const graph::Module& module, const planner::PlanOptions& options) {
  if (!options.overlays.empty()) return true;
  const auto functional = graph::Functionalize(module);
  if (!functional.ok()) return true;
  const auto mutates = [](const graph::Method& method) { return !method.input_stores.empty(); };
  return !options.plan_inputs && options.policy == Policy::kShareAll &&
         std::ranges::any_of(functional.value().methods, mutates);
}

Result<Program, std::string> Reread(const Program& program, std::vector<std::byte>& bytes) {
  auto written = WriteProgram(program);
  if (!written.ok()) return "written: " + written.error();
  bytes = std::move(written).value();
  auto read = ReadProgram(bytes);
  if (!read.ok()) {
    const auto& why = read.error();
    return "read: " + (RanOutOfMemory(why) ? "out of memory" : why.front().explanation);
  }
  const std::string difference = ProgramDifference(program, read.value());
  if (!difference.empty()) return "read(write(p)): " + difference;
  return std::move(read).value();
}

Result<Manifest, std::string> ParsedManifest(const graph::Module& module,
                                             const planner::PlanOptions& options,
                                             const Program& program) {
  const auto made = ManifestOfPlan(module, options, program);
  if (!made.ok()) return made.error();
  auto manifest = ParseManifest(RenderManifest(made.value()));
  if (!manifest.ok()) return manifest.error().front().where + ": " + manifest.error().front().what;
  const auto misfits = CheckFit(manifest.value(), program);
  if (!misfits.empty()) return misfits.front().where + ": " + misfits.front().what;
  return std::move(manifest).value();
}

CaseFault ErrorIn(const Program& program, const Manifest* manifest, Policy policy) {
  for (const Finding& finding : Check(program, {.manifest = manifest}).findings) {
    // Other planners may pack tighter than elements are aligned; this one does not.
    const bool counts =
        finding.severity == Severity::kError || finding.rule == rule::kPlanAlignment;
    if (!counts || !finding.policies.Has(policy)) continue;
    const std::string rule(finding.rule);
    return {rule, rule + " in '" + finding.method + "': " + finding.explanation};
  }
  return {};
}

}  // namespace pteproof
