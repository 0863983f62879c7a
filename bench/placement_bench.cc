// How long the placement algorithms take and how close to the load they come: on storages as neural
// networks have them, on the MiniMalloc benchmark of the collection if PTEPROOF_COLLECTION names
// one, on small random ones.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/load.h"
#include "planner/placement/portfolio.h"
#include "planner/placement/validate.h"

namespace pteproof::placement {
namespace {

using Items = std::vector<Item<int64_t>>;

constexpr double kMebi = 1024.0 * 1024.0;

// One result per node: most are read by one of the next nodes, some by a later one (residual
// connections), few live throughout (inputs, state). Sizes are spread over four orders of
// magnitude.
Items NetOf(int64_t count) {
  std::mt19937_64 random(7);
  Items items;
  for (int64_t node = 0; node < count; ++node) {
    const uint64_t kind = random() % 100;
    const auto far = static_cast<int64_t>(kind < 80 ? 1 + random() % 3 : 4 + random() % 60);
    const int64_t size = (static_cast<int64_t>(1 + random() % 31) << (random() % 12)) + 4;
    const bool always = random() % 1000 == 0;
    items.push_back({.size = size,
                     .alignment = 16,
                     .live = {{always ? 0 : 2 * node + 1,
                               always ? 2 * count : std::min(2 * (node + far) + 2, 2 * count)}}});
  }
  return items;
}

// Lies beside `load` and names no machine: what the layout comes to.
void Count(benchmark::State& state, const Items& items, const Outcome& outcome) {
  if (MistakeIn(items, outcome.layout)) state.SkipWithError("not a layout");
  const auto load = static_cast<double>(LoadOf(items));
  const auto greedy = static_cast<double>(Place(items, Algorithm::kGreedy).layout.peak);
  state.counters["peak/load"] = static_cast<double>(outcome.layout.peak) / load;
  state.counters["greedy/load"] = greedy / load;
  state.counters["optimal"] = outcome.optimal() ? 1 : 0;
}

void Net(benchmark::State& state, Algorithm algorithm) {
  const Items items = NetOf(state.range(0));
  Outcome outcome;
  for (auto _ : state) benchmark::DoNotOptimize(outcome = Place(items, algorithm));
  Count(state, items, outcome);
}

void Validation(benchmark::State& state) {
  const Items items = NetOf(state.range(0));
  const Layout<int64_t> layout = Place(items, Algorithm::kFirstFit).layout;
  for (auto _ : state) benchmark::DoNotOptimize(MistakeIn(items, layout));
}

void MiniMalloc(benchmark::State& state, const Items& items, Algorithm algorithm, Effort effort) {
  Outcome outcome;
  for (auto _ : state) benchmark::DoNotOptimize(outcome = Place(items, algorithm, effort));
  Count(state, items, outcome);
  state.counters["peak/MiB"] = static_cast<double>(outcome.layout.peak) / kMebi;
}

Items Small(std::mt19937_64& random) {
  Items items(1 + random() % 8);
  for (Item<int64_t>& item : items) {
    const auto lower = static_cast<int64_t>(random() % 10);
    item.size = static_cast<int64_t>(1 + random() % 100);
    item.live = {{lower, lower + 1 + static_cast<int64_t>(random() % 6)}};
  }
  return items;
}

// Of small random instances: in how many plain orders, and best, reach the optimum.
void SmallOnes(benchmark::State& state) {
  constexpr int kInstances = 10'000;
  int plain = 0;
  int greedy = 0;
  int best = 0;
  for (auto _ : state) {
    std::mt19937_64 random(1);
    plain = greedy = best = 0;
    for (int i = 0; i < kInstances; ++i) {
      const Items items = Small(random);
      const Outcome exact = Place(items, Algorithm::kExact);
      if (!exact.optimal()) state.SkipWithError("exact is not exact");
      const int64_t optimum = exact.layout.peak;
      greedy += Place(items, Algorithm::kGreedy).layout.peak == optimum ? 1 : 0;
      plain += Portfolio(std::span<const Item<int64_t>>(items)).peak == optimum ? 1 : 0;
      best += Place(items, Algorithm::kBest).layout.peak == optimum ? 1 : 0;
    }
  }
  state.counters["greedy %"] = 100.0 * greedy / kInstances;
  state.counters["portfolio %"] = 100.0 * plain / kInstances;
  state.counters["best %"] = 100.0 * best / kInstances;
}

void RegisterNets() {
  for (const Algorithm algorithm : kAlgorithms) {
    const std::string name = "net/" + std::string(NameOf(algorithm));
    benchmark::RegisterBenchmark(name.c_str(), Net, algorithm)
        ->Arg(500)
        ->Arg(5'000)
        ->Arg(50'000)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("net/validator", Validation)
      ->Arg(500)
      ->Arg(5'000)
      ->Arg(50'000)
      ->Unit(benchmark::kMillisecond);
}

// A table of the benchmark: id,lower,upper,size.
Items ReadTable(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  Items items;
  while (std::getline(stream, line)) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream fields(line);
    std::string id;
    Span span;
    Item<int64_t> item;
    if (!(fields >> id >> span.lower >> span.upper >> item.size)) return {};
    item.live = {span};
    items.push_back(std::move(item));
  }
  return items;
}

// `best` and `exact` with their default efforts.
void RegisterMiniMalloc(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    const Items items = ReadTable(file);
    for (const Algorithm algorithm : kAlgorithms) {
      if (algorithm == Algorithm::kNaive) continue;
      const bool searches = algorithm == Algorithm::kBest || algorithm == Algorithm::kExact;
      const Effort effort = DefaultEffort(algorithm);
      const std::string name =
          "minimalloc/" + file.stem().stem().string() + "/" + std::string(NameOf(algorithm));
      benchmark::RegisterBenchmark(name.c_str(), MiniMalloc, items, algorithm, effort)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(searches ? 1 : 20);
    }
  }
}

}  // namespace
}  // namespace pteproof::placement

int main(int argc, char** argv) {
  pteproof::placement::RegisterNets();
  if (const char* const collection = std::getenv("PTEPROOF_COLLECTION")) {
    pteproof::placement::RegisterMiniMalloc(std::string(collection) +
                                            "/benchmarks/minimalloc/challenging");
  }
  benchmark::RegisterBenchmark("small", pteproof::placement::SmallOnes)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
