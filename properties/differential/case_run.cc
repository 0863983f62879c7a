#include "properties/differential/case_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "planner/plan.h"
#include "properties/check.h"
#include "properties/differential/compare_calls.h"
#include "properties/manifest/fit.h"
#include "properties/manifest/of_plan.h"
#include "properties/manifest/render.h"
#include "reference/graph/functionalize.h"
#include "runtime/read_program.h"
#include "runtime/same_program.h"
#include "runtime/write_program.h"

namespace pteproof {
namespace {

bool HasOpaqueNode(const graph::Region& region) {
  return std::ranges::any_of(region.nodes, [](const graph::Node& node) {
    const bool opaque = node.kind == graph::NodeKind::kDelegate ||
                        (node.kind == graph::NodeKind::kCall && node.schema == nullptr);
    return opaque || std::ranges::any_of(node.regions, HasOpaqueNode);
  });
}

std::string ErrorIn(const Program& program, const CheckOptions& options, Policy policy) {
  for (const Finding& finding : Check(program, options).findings) {
    // Other planners may pack tighter than elements are aligned; this one does not.
    const bool counts =
        finding.severity == Severity::kError || finding.rule == rule::kPlanAlignment;
    if (!counts || !finding.policies.Has(policy)) continue;
    return std::string(finding.rule) + " in '" + finding.method + "': " + finding.story;
  }
  return "";
}

// The manifest is written and parsed again.
std::string ErrorWithManifest(const graph::Module& module, const Program& program,
                              const planner::PlanOptions& options) {
  const auto made = ManifestOfPlan(module, options, program);
  if (!made.ok()) return made.error();
  const auto manifest = ParseManifest(RenderManifest(made.value()));
  if (!manifest.ok()) return manifest.error().front().where + ": " + manifest.error().front().what;
  const auto misfits = CheckFit(manifest.value(), program);
  if (!misfits.empty()) return misfits.front().where + ": " + misfits.front().what;
  return ErrorIn(program, {.manifest = &manifest.value()}, options.policy);
}

// Mutation may have no functional form, and an output no room over an input; else there is a plan.
bool MayBeRefused(const graph::Module& module, const planner::PlanOptions& options) {
  return !options.overlays.empty() || !graph::Functionalize(module).ok();
}

// Writes the program, and reads it again.
Result<Program, std::string> Reread(const Program& program, std::vector<std::byte>& bytes) {
  auto written = WriteProgram(program);
  if (!written.ok()) return "written: " + written.error();
  bytes = std::move(written).value();
  auto read = ReadProgram(bytes);
  if (!read.ok()) {
    const auto& why = read.error();
    return "read: " + (RanOutOfMemory(why) ? "out of memory" : why.front().story);
  }
  const std::string difference = ProgramDifference(program, read.value());
  if (!difference.empty()) return "read(write(p)): " + difference;
  return std::move(read).value();
}

}  // namespace

bool IsOpaque(const graph::Module& module) {
  return std::ranges::any_of(
      module.methods, [](const graph::Method& method) { return HasOpaqueNode(method.body); });
}

CaseVerdict RunCase(const generators::RandomCase& c, const planner::PlanOptions& options,
                    const CaseWays& ways) {
  const auto planned = planner::Plan(c.module, options);
  if (!planned.ok() && MayBeRefused(c.module, options)) return {.refused = true, .fault = ""};
  if (!planned.ok()) return {.fault = "refused: " + planned.error().what};
  std::vector<std::byte> bytes;
  const auto program = Reread(planned.value().program, bytes);
  if (!program.ok()) return {.fault = program.error()};
  CaseVerdict verdict;
  verdict.fault = ErrorIn(program.value(), {}, options.policy);
  if (!verdict.fault.empty()) return verdict;
  if (ways.manifest) verdict.fault = ErrorWithManifest(c.module, program.value(), options);
  if (!verdict.fault.empty()) verdict.fault = "with its manifest: " + verdict.fault;
  // The memory of buffers without a place is the caller's, who makes no calls here.
  if (verdict.fault.empty() && options.plan_buffers) {
    CompareCalls(c, program.value(), options.policy, ways, verdict);
  }
  return verdict;
}

}  // namespace pteproof
