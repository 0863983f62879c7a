// How long whole Modules take to plan and how much their banks need: nets of known shapes, and
// chains of growing length. `greedy` is the exporter's rule on the same Module without results in
// place.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "planner/plan.h"
#include "bench/nets/layers.h"
#include "bench/nets/nets.h"

namespace pteproof {
namespace {

planner::PlanOptions GreedyNotInPlace() {
  planner::PlanOptions options;
  options.algorithm = placement::Algorithm::kGreedy;
  options.passes.in_place = false;
  return options;
}

// Elementwise operators, every fourth result read again eight nodes later.
graph::Module Chain(int64_t nodes) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "forward";
  nets::Layers net(module, method, {});
  std::vector<nets::ValueId> made = {
      net.builder().AddInput("x", TensorType{ScalarType::kFloat32, {64}})};
  for (int64_t n = 0; n < nodes; ++n) {
    const size_t back = n % 4 == 0 && made.size() > 8 ? 8 : 1;
    made.push_back(net.Add(made.back(), made[made.size() - back]));
  }
  method.body.results = {made.back()};
  return module;
}

// Pairs that are made, laid side by side and summed.
graph::Module Concats(int64_t count) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "forward";
  nets::Layers net(module, method, {});
  nets::ValueId x = net.builder().AddInput("x", TensorType{ScalarType::kFloat32, {1, 64}});
  for (int64_t n = 0; n < count; ++n) {
    const nets::ValueId both = net.Call(
        "aten::cat.out",
        {graph::List({graph::Of(net.Add(x, x)), graph::Of(net.Mul(x, x))}), graph::Number(0)});
    x = net.Call("aten::sum.IntList_out",
                 {graph::Of(both), nets::Ints({0}), graph::Flag(true), graph::None()});
  }
  method.body.results = {x};
  return module;
}

void PlanModule(benchmark::State& state, const graph::Module& module) {
  int64_t peak = 0;
  int64_t load = 0;
  for (auto _ : state) {
    const auto planned = planner::Plan(module);
    if (!planned.ok()) return state.SkipWithError("no plan");
    peak = planned.value().report[0].peak;
    load = planned.value().report[0].load;
  }
  const auto greedy = planner::Plan(module, GreedyNotInPlace());
  state.counters["bytes"] = static_cast<double>(peak);
  state.counters["peak/load"] = static_cast<double>(peak) / static_cast<double>(load);
  state.counters["peak/greedy"] =
      static_cast<double>(peak) / static_cast<double>(greedy.value().report[0].peak);
}

void Register(const std::string& name, const graph::Module& module) {
  benchmark::RegisterBenchmark(name.c_str(), PlanModule, module)->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  using namespace pteproof;
  Register("plan/mobilenet", nets::MobileNet(224));
  Register("plan/encoder", nets::Encoder({}));
  Register("plan/decoder", nets::Decoder({}));
  for (const int64_t nodes : {500, 5'000, 50'000}) {
    Register("plan/chain/" + std::to_string(nodes), Chain(nodes));
  }
  for (const int64_t count : {500, 5'000}) {
    Register("plan/concats/" + std::to_string(count), Concats(count));
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
