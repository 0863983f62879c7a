// How fast random cases are made, validated and run: Modules a second. Prints, never judges.
#include <benchmark/benchmark.h>

#include <cstdint>

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

BENCHMARK(MakeModules);
BENCHMARK(MakeCases);
BENCHMARK(MakeAndValidate);
BENCHMARK(MakeAndRun);

}  // namespace
}  // namespace pteproof

BENCHMARK_MAIN();
