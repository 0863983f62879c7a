#include "properties/differential/case_run.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "planner/plan.h"
#include "properties/differential/case_steps.h"
#include "properties/differential/compare_calls.h"

namespace pteproof {
namespace {

bool HasOpaqueNode(const graph::Region& region) {
  return std::ranges::any_of(region.nodes, [](const graph::Node& node) {
    const bool opaque = node.kind == graph::NodeKind::kDelegate ||
                        (node.kind == graph::NodeKind::kCall && node.schema == nullptr);
    return opaque || std::ranges::any_of(node.regions, HasOpaqueNode);
  });
}

CaseFault ErrorWithManifest(const graph::Module& module, const Program& program,
                            const planner::PlanOptions& options) {
  const auto manifest = ParsedManifest(module, options, program);
  if (!manifest.ok()) return {"manifest", manifest.error()};
  CaseFault fault = ErrorIn(program, &manifest.value(), options.policy);
  if (!fault.empty()) fault.explanation = "with its manifest: " + fault.explanation;
  return fault;
}

}  // namespace

bool IsOpaque(const graph::Module& module) {
  return std::ranges::any_of(
      module.methods, [](const graph::Method& method) { return HasOpaqueNode(method.body); });
}

CaseVerdict RunCase(const generators::RandomCase& c, const planner::PlanOptions& options,
                    const CaseWays& ways) {
  const auto planned = planner::Plan(c.module, options);
  if (!planned.ok() && MayBeRefused(c.module, options)) return {.refused = true};
  if (!planned.ok()) return {.fault = {"refused", "refused: " + planned.error().what}};
  std::vector<std::byte> bytes;
  const auto program = Reread(planned.value().program, bytes);
  if (!program.ok()) return {.fault = {"file", program.error()}};
  CaseVerdict verdict;
  verdict.fault = ErrorIn(program.value(), nullptr, options.policy);
  if (!verdict.fault.empty()) return verdict;
  if (ways.manifest) verdict.fault = ErrorWithManifest(c.module, program.value(), options);
  // The memory of buffers without a place is the caller's, who makes no calls here.
  if (verdict.fault.empty() && options.plan_buffers) {
    CompareCalls(c, program.value(), options.policy, ways, verdict);
  }
  return verdict;
}

}  // namespace pteproof
