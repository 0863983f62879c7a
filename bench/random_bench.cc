// How fast random cases are made, validated and run: Modules a second. Prints, never judges.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "reference/graph/validate.h"
#include "reference/run/interpret.h"

namespace pteproof {
namespace {

// Loops on mixed bytes need not end.
constexpr int64_t kFuel = 2000;

void MakeModules(benchmark::State& state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(generators::BuildModule(generators::DrawCase(seed++)));
  }
  state.SetItemsProcessed(state.iterations());
}

// With the inputs of the calls.
void MakeCases(benchmark::State& state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(generators::BuildCase(generators::DrawCase(seed++)));
  }
  state.SetItemsProcessed(state.iterations());
}

void MakeAndValidate(benchmark::State& state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    const auto made = generators::BuildCase(generators::DrawCase(seed++));
    benchmark::DoNotOptimize(graph::Validate(made.module));
  }
  state.SetItemsProcessed(state.iterations());
}

void MakeAndRun(benchmark::State& state) {
  RunOptions options;
  options.semantics = Semantics::kHash;
  options.fuel = kFuel;
  uint64_t seed = 0;
  int64_t calls = 0;
  for (auto _ : state) {
    const auto made = generators::BuildCase(generators::DrawCase(seed++));
    State buffers(made.module);
    for (const auto& call : made.calls) {
      benchmark::DoNotOptimize(CallMethod(made.module, call.method, buffers, call.inputs, options));
      ++calls;
    }
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["calls"] =
      benchmark::Counter(static_cast<double>(calls), benchmark::Counter::kIsRate);
}

// A whole case: generated, planned, written, read, checked, and its calls made in the reference and
// as planned. One algorithm and policy a case, in turn.
void RunCases(benchmark::State& state, const CaseWays& ways) {
  uint64_t seed = 0;
  int64_t calls = 0;
  for (auto _ : state) {
    const auto made = generators::BuildCase(generators::DrawCase(seed));
    const CaseVerdict verdict = RunCase(made, SettingOf(seed).options, ways);
    if (!verdict.fault.empty()) {
      state.SkipWithError(
          ("seed " + std::to_string(seed) + ": " + verdict.fault.explanation).c_str());
      break;
    }
    calls += verdict.calls;
    ++seed;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["calls"] =
      benchmark::Counter(static_cast<double>(calls), benchmark::Counter::kIsRate);
}

void CasesUnderHash(benchmark::State& state) {
  RunCases(state, {.manifest = false, .tagged = false});
}

void CasesUnderRealAndTagged(benchmark::State& state) {
  RunCases(state, {.manifest = false, .semantics = Semantics::kReal});
}

// As `pteproof test` does it.
void CasesOfACampaign(benchmark::State& state) {
  uint64_t seed = 0;
  for (auto _ : state) {
    const Setting setting = SettingOf(seed);
    const auto made = generators::BuildCase(generators::DrawCase(seed));
    benchmark::DoNotOptimize(RunCase(made, setting.options, setting.ways));
    ++seed;
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(CasesUnderHash);
BENCHMARK(CasesUnderRealAndTagged);
BENCHMARK(CasesOfACampaign);
BENCHMARK(MakeModules);
BENCHMARK(MakeCases);
BENCHMARK(MakeAndValidate);
BENCHMARK(MakeAndRun);

}  // namespace
}  // namespace pteproof

BENCHMARK_MAIN();
