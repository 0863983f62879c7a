// How long it takes to decide that no two storages of a plan overlap: N storages in the order of
// their offsets, each against those of a live window before it, about 7.5 pairs a storage. Sizes
// are products over up to three dims. The plan is laid out at the sizes' upper bounds, bytes are
// never shared, so that everything is proved.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "properties/proofs/solver/decide.h"

namespace pteproof {
namespace {

constexpr int64_t kWindow = 8;

proofs::Obligation Apart(int64_t a, int64_t b, int32_t first, const std::vector<int64_t>& offsets) {
  const auto end = [&](int64_t of) {
    return SizeExpr(offsets[static_cast<size_t>(of)]) +
           SizeExpr::Symbol(first + static_cast<int32_t>(of));
  };
  proofs::Obligation obligation;
  obligation.kind = "plan-overlap";
  obligation.goal = {
      {end(a), proofs::Relation::kLessEqual, offsets[static_cast<size_t>(b)]},
      {end(b), proofs::Relation::kLessEqual, offsets[static_cast<size_t>(a)]},
  };
  return obligation;
}

proofs::Obligations PairsOf(int64_t storages, int32_t dims) {
  std::mt19937 random(1);
  const auto below = [&](uint32_t count) { return static_cast<int64_t>(random() % count); };
  proofs::Obligations all;
  std::vector<SizeRange> ranges;
  for (int32_t d = 0; d < dims; ++d) {
    ranges.push_back({1, 16 + d});
    all.symbols.push_back({"n" + std::to_string(d), ranges.back().lo, ranges.back().hi, {}});
  }
  std::vector<int64_t> offsets;
  int64_t offset = 0;
  for (int64_t s = 0; s < storages; ++s) {
    SizeExpr size(4 * (1 + below(64)));
    for (int32_t d = 0; d < dims; ++d) {
      if (below(4) != 0) size = size * (SizeExpr::Symbol(d) + below(3));
    }
    const int64_t most = size.Over(ranges).hi;
    all.symbols.push_back({"size of v" + std::to_string(s), 0, most, size});
    offsets.push_back(offset);
    offset += most;
  }
  for (int64_t s = 0; s < storages; ++s) {
    for (int64_t other = std::max<int64_t>(0, s - kWindow); other < s - s % 2; ++other) {
      all.list.push_back(Apart(s, other, dims, offsets));
    }
  }
  return all;
}

// The same plan for several methods, as exporters lay them out: equal questions are asked once.
proofs::Obligations OfMethods(const proofs::Obligations& one, int64_t methods) {
  proofs::Obligations all = one;
  for (int64_t m = 1; m < methods; ++m) {
    all.list.insert(all.list.end(), one.list.begin(), one.list.end());
  }
  return all;
}

void DecideAll(benchmark::State& state, const proofs::Obligations& all) {
  int64_t open = 0;
  int64_t shared = 0;
  for (auto _ : state) {
    open = shared = 0;
    for (const proofs::Decision& decision : proofs::Decide(all)) {
      open += decision.answer == proofs::Answer::kProved ? 0 : 1;
      shared += decision.shared ? 1 : 0;
    }
  }
  state.counters["goals"] = static_cast<double>(all.list.size());
  state.counters["shared"] = static_cast<double>(shared);
  if (open != 0) state.SkipWithError("not all were proved");
}

void Register(const std::string& name, proofs::Obligations all) {
  benchmark::RegisterBenchmark(name.c_str(), DecideAll, std::move(all))
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  using namespace pteproof;
  for (const int64_t storages : {500, 5000}) {
    for (const int32_t dims : {1, 2, 3}) {
      Register("pairs/" + std::to_string(storages) + "/dims:" + std::to_string(dims),
               PairsOf(storages, dims));
    }
  }
  Register("pairs/500/dims:3/methods:8", OfMethods(PairsOf(500, 3), 8));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
