#include "properties/differential/case_run.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/check.h"
#include "properties/laws/trace.h"
#include "properties/manifest/fit.h"
#include "properties/manifest/of_plan.h"
#include "properties/manifest/render.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_inputs.h"
#include "properties/oracles/replay.h"
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

using Outputs = std::optional<std::vector<Datum>>;  // none: nothing to compare with

// A difference, or nothing.
std::string DifferenceOf(const std::vector<Datum>& wanted, const std::vector<Datum>& got) {
  if (got.size() != wanted.size()) return "too few outputs, or too many";
  for (size_t o = 0; o < wanted.size(); ++o) {
    if (!SameData(std::span(wanted).subspan(o, 1), std::span(got).subspan(o, 1))) {
      return "output " + std::to_string(o) + " differs";
    }
  }
  return "";
}

// What a program's call gives: first the inputs that are stored to, as the call leaves them.
std::vector<Datum> AllOutputs(const graph::Method& functional, const CallOutcome& outcome) {
  std::vector<int32_t> stored;
  for (const graph::InputStore& each : functional.input_stores) stored.push_back(each.input);
  std::ranges::sort(stored);
  std::vector<Datum> all;
  for (const int32_t input : stored) {
    all.push_back(outcome.inputs_after[static_cast<size_t>(input)]);
  }
  all.insert(all.end(), outcome.outputs.begin(), outcome.outputs.end());
  return all;
}

// A program's calls as an engine makes them.
class Engine {
 public:
  Engine(
      std::string name,
      std::function<Result<std::vector<Datum>, std::string>(int32_t, std::span<const Datum>)> call)
      : name_(std::move(name)), call_(std::move(call)) {}

  // Sets every buffer to its initial value, where a method does that.
  std::string Start(const Program& program) {
    for (size_t m = 0; m < program.methods.size(); ++m) {
      if (program.methods[m].name != planner::kModuleInit) continue;
      const auto started = call_(static_cast<int32_t>(m), {});
      if (!started.ok()) return name_ + ": et_module_init: " + started.error();
    }
    return "";
  }

  // `wanted` is set where there was none, unless the call cannot be made.
  std::string Compare(const generators::RandomCall& call, Outputs& wanted) {
    const auto got = call_(static_cast<int32_t>(call.method), call.inputs);
    if (!got.ok()) return wanted ? name_ + ": " + got.error() : "";
    if (!wanted) wanted = got.value();
    const std::string difference = DifferenceOf(*wanted, got.value());
    return difference.empty() ? "" : name_ + ": " + difference;
  }

 private:
  std::string name_;
  std::function<Result<std::vector<Datum>, std::string>(int32_t, std::span<const Datum>)> call_;
};

template <class Run>
Engine EngineOf(std::string name, Run& run) {
  return {std::move(name),
          [&run](int32_t method,
                 std::span<const Datum> inputs) -> Result<std::vector<Datum>, std::string> {
            auto outcome = run.Call(method, inputs);
            if (!outcome.ok()) return outcome.error().story;
            return std::move(outcome).value();
          }};
}

void CompareCalls(const generators::RandomCase& c, const Program& program,
                  const planner::PlanOptions& options, CaseVerdict& verdict) {
  const Trace wanted = RunAll(c.module, c.calls, OptionsFor(Semantics::kHash));
  Replay replay(program, {.policy = options.policy, .semantics = Semantics::kHash});
  auto planned =
      PlannedRun::Load(program, {.policy = options.policy, .semantics = Semantics::kHash});
  if (!planned.ok()) {
    verdict.fault = "planned: " + planned.error().story;
    return;
  }
  Engine engines[] = {EngineOf("a storage per value", replay),
                      EngineOf("as planned", planned.value())};
  for (Engine& engine : engines) {
    if (verdict.fault = engine.Start(program); !verdict.fault.empty()) return;
  }
  const bool opaque = IsOpaque(c.module);
  const auto functional = graph::Functionalize(c.module);
  if (!functional.ok()) return;  // no plan either
  for (size_t k = 0; k < c.calls.size(); ++k) {
    if (!wanted.calls[k].ok()) return;  // it does not end, or its inputs do not fit
    Outputs outputs;
    if (!opaque) {
      outputs = AllOutputs(functional.value().methods[c.calls[k].method], wanted.calls[k].value());
    }
    if (opaque && !AreAtBounds(program.methods[c.calls[k].method], c.calls[k].inputs)) continue;
    for (Engine& engine : engines) {
      const std::string fault = engine.Compare(c.calls[k], outputs);
      // What nobody knows gives results at their upper bounds, which need not fit together.
      if (!outputs) return;
      if (fault.empty()) continue;
      verdict.fault = "call " + std::to_string(k) + ": " + fault;
      return;
    }
    ++verdict.calls;
  }
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
  if (!read.ok()) return "read: " + read.error().front().story;
  const std::string difference = ProgramDifference(program, read.value());
  if (!difference.empty()) return "read(write(p)): " + difference;
  return std::move(read).value();
}

}  // namespace

bool IsOpaque(const graph::Module& module) {
  return std::ranges::any_of(
      module.methods, [](const graph::Method& method) { return HasOpaqueNode(method.body); });
}

CaseVerdict RunCase(const generators::RandomCase& c, const planner::PlanOptions& options) {
  const auto planned = planner::Plan(c.module, options);
  if (!planned.ok() && MayBeRefused(c.module, options)) return {.refused = true, .fault = ""};
  if (!planned.ok()) return {.fault = "refused: " + planned.error().what};
  std::vector<std::byte> bytes;
  const auto program = Reread(planned.value().program, bytes);
  if (!program.ok()) return {.fault = program.error()};
  CaseVerdict verdict;
  verdict.fault = ErrorIn(program.value(), {}, options.policy);
  if (!verdict.fault.empty()) return verdict;
  verdict.fault = ErrorWithManifest(c.module, program.value(), options);
  if (!verdict.fault.empty()) verdict.fault = "with its manifest: " + verdict.fault;
  // The memory of buffers without a place is the caller's, who makes no calls here.
  if (verdict.fault.empty() && options.plan_buffers) {
    CompareCalls(c, program.value(), options, verdict);
  }
  return verdict;
}

}  // namespace pteproof
