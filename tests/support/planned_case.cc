#include "tests/support/planned_case.h"

#include <algorithm>

#include "planner/state/module_init.h"
#include "properties/check.h"
#include "properties/laws/trace.h"
#include "properties/manifest/fit.h"
#include "properties/manifest/of_plan.h"
#include "properties/manifest/render.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/replay.h"
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
    if (finding.severity != Severity::kError || !finding.policies.Has(policy)) continue;
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

// Where the calls of an engine differ from the Module's; what they are compared with is there once.
template <class Call>
std::string DifferenceFrom(const Trace& wanted, const generators::RandomCase& c,
                           const Program& program, const Call& call) {
  for (size_t m = 0; m < program.methods.size(); ++m) {
    if (program.methods[m].name != planner::kModuleInit) continue;
    const auto started = call(static_cast<int32_t>(m), std::span<const Datum>());
    if (!started.ok()) return "et_module_init: " + started.error().story;
  }
  for (size_t k = 0; k < c.calls.size(); ++k) {
    if (!wanted.calls[k].ok()) break;  // it does not end, or its inputs do not fit
    const auto got = call(static_cast<int32_t>(c.calls[k].method), std::span(c.calls[k].inputs));
    const std::string which = "call " + std::to_string(k) + ": ";
    if (!got.ok()) return which + got.error().story;
    const std::vector<Datum>& outputs = wanted.calls[k].value().outputs;
    if (got.value().size() < outputs.size()) return which + "too few outputs";
    // Inputs that are stored to come first.
    const auto own = std::span(got.value()).last(outputs.size());
    for (size_t o = 0; o < outputs.size(); ++o) {
      if (!(own[o] == outputs[o])) return which + "output " + std::to_string(o) + " differs";
    }
  }
  return "";
}

std::string DifferenceInCalls(const generators::RandomCase& c, const Program& program,
                              const planner::PlanOptions& options) {
  const Trace wanted = RunAll(c.module, c.calls, OptionsFor(Semantics::kHash));
  Replay replay(program, {.policy = options.policy, .semantics = Semantics::kHash});
  const auto replayed = [&](int32_t m, std::span<const Datum> in) { return replay.Call(m, in); };
  if (std::string why = DifferenceFrom(wanted, c, program, replayed); !why.empty()) return why;
  auto run = PlannedRun::Load(program, {.policy = options.policy, .semantics = Semantics::kHash});
  if (!run.ok()) return "planned: " + run.error().story;
  const auto planned = [&](int32_t m, std::span<const Datum> in) {
    return run.value().Call(m, in);
  };
  const std::string why = DifferenceFrom(wanted, c, program, planned);
  return why.empty() ? "" : "planned: " + why;
}

}  // namespace

bool IsOpaque(const graph::Module& module) {
  return std::ranges::any_of(
      module.methods, [](const graph::Method& method) { return HasOpaqueNode(method.body); });
}

std::string FaultOfPlan(const generators::RandomCase& c, const planner::PlanOptions& options,
                        bool* refused) {
  const auto planned = planner::Plan(c.module, options);
  if (refused != nullptr) *refused = !planned.ok();
  if (!planned.ok()) return refused != nullptr ? "" : planned.error().what;
  const auto bytes = WriteProgram(planned.value().program);
  if (!bytes.ok()) return "written: " + bytes.error();
  const auto read = ReadProgram(bytes.value());
  if (!read.ok()) return "read: " + read.error().front().story;
  const std::string difference = ProgramDifference(planned.value().program, read.value());
  if (!difference.empty()) return "read(write(p)): " + difference;
  if (std::string error = ErrorIn(read.value(), {}, options.policy); !error.empty()) return error;
  if (std::string error = ErrorWithManifest(c.module, read.value(), options); !error.empty()) {
    return "with its manifest: " + error;
  }
  // The memory of buffers without a place is the caller's, who makes no calls here.
  if (IsOpaque(c.module) || !options.plan_buffers) return "";
  return DifferenceInCalls(c, read.value(), options);
}

}  // namespace pteproof
