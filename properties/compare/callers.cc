#include "properties/compare/callers.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/state/module_init.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/replay.h"
#include "reference/run/interpret.h"

namespace pteproof::compare {
namespace {

using Outputs = Result<std::vector<Datum>, std::string>;

template <class Methods>
int32_t IndexOfMethod(const Methods& methods, std::string_view name) {
  const auto found = std::ranges::find_if(methods, [&](const auto& m) { return m.name == name; });
  return found == methods.end() ? -1 : static_cast<int32_t>(found - methods.begin());
}

// What every call is made of: a run that is loaded, and the index of the method.
template <class Run>
MakeCall CallsOf(std::shared_ptr<Run> run, const Program& program) {
  return [run = std::move(run), &program](const std::string& method,
                                          std::span<const Datum> inputs) -> Outputs {
    const int32_t index = IndexOfMethod(program.methods, method);
    if (index < 0) return fmt::format("there is no method '{}'", method);
    auto outputs = run->Call(index, inputs);
    if (!outputs.ok()) return std::string(outputs.error().explanation);
    return std::move(outputs).value();
  };
}

// Sets every buffer to its initial value, if a method does that.
Result<MakeCall, std::string> Initialised(MakeCall call, const Program& program) {
  if (IndexOfMethod(program.methods, planner::kModuleInit) < 0) return call;
  const auto started = call(std::string(planner::kModuleInit), {});
  if (!started.ok()) return fmt::format("{}: {}", planner::kModuleInit, started.error());
  return call;
}

FreshLoad LoadOfMeaning(const ComparedSide& side, Policy policy, int64_t fuel) {
  fuel += LongestPass(*side.program);
  return [side, policy, fuel]() -> Result<MakeCall, std::string> {
    const Program& program = *side.program;
    const ReplayOptions options = {.policy = policy,
                                   .semantics = Semantics::kHash,
                                   .data = side.data,
                                   .manifest = side.manifest,
                                   .by_name = true,
                                   .fuel = fuel};
    return Initialised(CallsOf(std::make_shared<Replay>(program, options), program), program);
  };
}

class ModuleRun {
 public:
  ModuleRun(const graph::Module& module, int64_t fuel) : module_(module), state_(module) {
    options_.semantics = Semantics::kHash;
    options_.fuel = fuel;
  }

  Outputs Call(const std::string& name, std::span<const Datum> inputs) {
    const int32_t index = IndexOfMethod(module_.methods, name);
    if (index < 0) return fmt::format("there is no method '{}'", name);
    const auto m = static_cast<size_t>(index);
    auto called = CallMethod(module_, m, state_, inputs, options_);
    if (!called.ok()) return std::string(called.error().explanation);
    std::set<int32_t> stored;
    for (const graph::InputStore& store : module_.methods[m].input_stores) {
      stored.insert(store.input);
    }
    std::vector<Datum> outputs;
    for (const int32_t input : stored) {
      outputs.push_back(called.value().inputs_after[static_cast<size_t>(input)]);
    }
    for (Datum& output : called.value().outputs) outputs.push_back(std::move(output));
    return outputs;
  }

 private:
  const graph::Module& module_;
  State state_;
  RunOptions options_;
};

}  // namespace

FreshLoad LoadOf(const ComparedSide& side, Policy policy, int64_t fuel) {
  if (side.read == ReadAs::kMeant) return LoadOfMeaning(side, policy, fuel);
  fuel += LongestPass(*side.program);
  // Loaded once, and started over from then on.
  std::shared_ptr<PlannedRun> run;
  return [side, policy, fuel, run]() mutable -> Result<MakeCall, std::string> {
    if (run != nullptr) {
      run->StartOver();
    } else {
      auto loaded = PlannedRun::Load(*side.program,
                                     {.policy = policy,
                                      .semantics = Semantics::kHash,
                                      .writable_constants = true,
                                      .devices_on_host = true,
                                      .data = side.data,
                                      .lends_outputs = true,
                                      .fuel = fuel,
                                      .meaning = std::make_shared<const meaning::ProgramMeaning>(
                                          meaning::MeaningOf(*side.program, side.manifest))});
      if (!loaded.ok()) return std::string(loaded.error().explanation);
      run = std::make_shared<PlannedRun>(std::move(loaded).value());
    }
    return Initialised(CallsOf(run, *side.program), *side.program);
  };
}

FreshLoad LoadOf(const graph::Module& functional, int64_t fuel) {
  return [&functional, fuel]() -> Result<MakeCall, std::string> {
    const auto run = std::make_shared<ModuleRun>(functional, fuel);
    return MakeCall([run](const std::string& method, std::span<const Datum> inputs) {
      return run->Call(method, inputs);
    });
  };
}

}  // namespace pteproof::compare
