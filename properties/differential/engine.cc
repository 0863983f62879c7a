#include "properties/differential/engine.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "planner/state/module_init.h"
#include "properties/differential/trace.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/tags/tagged_run.h"

namespace pteproof {
namespace {

// A generous factor: instructions of a call, per node that the reference may run.
constexpr int64_t kFuel = 50 * kLawFuel;

// Sets every buffer to its initial value, where a method does that.
std::string CallModuleInit(const Program& program, const Engine& engine) {
  const auto init = std::ranges::find(program.methods, planner::kModuleInit, &Method::name);
  if (init == program.methods.end()) return "";
  const auto started = engine.call(static_cast<int32_t>(init - program.methods.begin()), {});
  return started.ok() ? "" : "et_module_init: " + started.error().explanation;
}

template <class Error>
EngineFault FaultOf(const Error& error) {
  return {error.kind == Error::Kind::kUnknown, error.explanation, false};
}

}  // namespace

Engine PlannedEngine(const Program& program, Policy policy, const CaseWays& ways,
                     std::string name) {
  const PlannedRunOptions options = {.policy = policy,
                                     .semantics = ways.semantics,
                                     .lazy = ways.lazy,
                                     .devices_on_host = true,
                                     .fuel = kFuel};
  auto run = std::make_shared<std::optional<PlannedRun>>();
  Engine engine;
  engine.name = std::move(name);
  engine.call = [run](int32_t method,
                      std::span<const Datum> inputs) -> Result<std::vector<Datum>, EngineFault> {
    auto outputs = (*run)->Call(method, inputs);
    if (!outputs.ok()) return FaultOf(outputs.error());
    return std::move(outputs).value();
  };
  engine.reset = [&program, run, options, call = engine.call]() -> std::string {
    if (run->has_value()) {
      (*run)->instance().ResetState();
    } else {
      auto loaded = PlannedRun::Load(program, options);
      if (!loaded.ok()) return loaded.error().explanation;
      run->emplace(std::move(loaded).value());
    }
    return CallModuleInit(program, {"", call, {}});
  };
  return engine;
}

Engine TaggedEngine(const Program& program, Policy policy, const CaseWays& ways) {
  const ReplayOptions options = {.policy = policy, .semantics = ways.semantics, .fuel = kFuel};
  auto run = std::make_shared<std::optional<TaggedRun>>();
  Engine engine;
  engine.name = "tagged, with a storage per value";
  engine.call = [run](int32_t method,
                      std::span<const Datum> inputs) -> Result<std::vector<Datum>, EngineFault> {
    auto outputs = (*run)->Call(method, inputs);
    if (const auto& finding = (*run)->finding()) {
      return EngineFault{false,
                         "instruction " + std::to_string(finding->instruction) + " of '" +
                             finding->method + "' needs value " + std::to_string(finding->value) +
                             " in " + finding->explanation,
                         true};
    }
    if (!outputs.ok()) return FaultOf(outputs.error());
    return std::move(outputs).value();
  };
  engine.reset = [&program, run, options, call = engine.call] {
    run->emplace(program, options);
    return CallModuleInit(program, {"", call, {}});
  };
  return engine;
}

}  // namespace pteproof
