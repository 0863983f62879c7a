// net_bench [NAME...]: nets of known shapes, planned and written here, in our runtime and in
// ExecuTorch's from the same bytes, in turns: a call, and what loading takes. `chain` is a long row
// of operators on a single element, which costs little else than calling them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/engines/engine.h"
#include "bench/race.h"
#include "planner/plan.h"
#include "bench/nets/layers.h"
#include "bench/nets/nets.h"
#include "pteproof/write.h"

namespace pteproof::bench {
namespace {

graph::Module Chain(int64_t nodes) {
  graph::Module module;
  graph::Method& method = module.methods.emplace_back();
  method.name = "forward";
  nets::Layers net(module, method, {});
  const nets::ValueId x = net.builder().AddInput("x", TensorType{ScalarType::kFloat32, {1}});
  nets::ValueId last = x;
  for (int64_t n = 0; n < nodes; ++n) last = n % 2 == 0 ? net.Add(last, x) : net.Mul(last, x);
  method.body.results = {last};
  return module;
}

struct Net {
  std::string name;
  std::function<graph::Module()> make;
};

const Net kNets[] = {
    {"mobilenet", [] { return nets::MobileNet(224, 1); }},
    {"encoder", [] { return nets::Encoder({}, 1); }},
    {"decoder", [] { return nets::Decoder({}, 1); }},
    {"chain/500", [] { return Chain(500); }},
    {"chain/5000", [] { return Chain(5'000); }},
    {"chain/50000", [] { return Chain(50'000); }},
};

TensorValue RandomTensor(const TensorType& type, std::mt19937_64& random) {
  Sizes sizes;
  for (const SizeExpr& size : type.sizes) sizes.push_back(*size.Constant());
  TensorValue tensor = Zeros(type.dtype, sizes);
  for (int64_t i = 0; i < ElementCount(tensor); ++i) {
    if (type.dtype == ScalarType::kInt64) {
      SetInt(tensor, i, static_cast<int64_t>(random() % 64));
    } else {
      SetReal(tensor, i, std::ldexp(static_cast<double>(random() >> 11), -52) - 1);
    }
  }
  return tensor;
}

EngineCall RandomCall(const graph::Module& module) {
  const graph::Method& method = module.methods.front();
  EngineCall call = {method.name, {}};
  std::mt19937_64 random(1);
  for (const graph::Input& input : method.inputs) {
    call.inputs.emplace_back(RandomTensor(*graph::TensorTypeOf(method, input.value), random));
  }
  return call;
}

// The largest difference of two outputs, relative to the largest number.
double DifferenceOf(Engine& a, Engine& b) {
  const auto left = a.Outputs(0);
  const auto right = b.Outputs(0);
  double largest = 0;
  double difference = left.size() == right.size() ? 0 : INFINITY;
  for (size_t o = 0; o < std::min(left.size(), right.size()); ++o) {
    for (size_t i = 0; i < left[o].size(); ++i) {
      largest = std::max(largest, std::abs(double{right[o][i]}));
      difference = std::max(difference, std::abs(double{left[o][i]} - double{right[o][i]}));
    }
  }
  return largest > 0 ? difference / largest : difference;
}

void Print(const std::string& what, const RaceTimes& times, const std::string& note) {
  fmt::print("{:<22} {:>12.2f} {:>12.2f} {:>8.2f}  {}\n", what, times.first * 1e6,
             times.second * 1e6, times.second / times.first, note);
  std::fflush(stdout);
}

// Empty; or what went wrong.
std::string RaceNet(const Net& net) {
  const graph::Module module = net.make();
  const auto planned = planner::Plan(module);
  if (!planned.ok()) return planned.error().what;
  const Program& program = planned.value().program;
  const auto file = WriteProgram(program);
  if (!file.ok()) return file.error();
  const EngineJob job = {file.value(), {}, {RandomCall(module)}};
  const Method& method = program.methods.front();
  const size_t parts = method.values.size() + method.instructions.size();
  auto own = LoadOwnEngine(job);
  if (!own.ok()) return own.error();
  if (std::string why = own.value()->Call(0); !why.empty()) return why;
  auto other = LoadExecutorch(job);
  const auto run = [&] { (void)own.value()->Call(0); };
  const auto per = [](double seconds, size_t count) {
    return seconds * 1e9 / static_cast<double>(count);
  };
  const auto instructions = [&](double seconds) {
    return fmt::format("{:.0f} ns an instruction", per(seconds, method.instructions.size()));
  };
  if (!other.ok()) {
    RaceTimes times = Race({}, run, [] {});
    times.second = 0;
    Print(net.name, times, instructions(times.first));
    return "";
  }
  if (std::string why = other.value()->Call(0); !why.empty()) return why;
  const double difference = DifferenceOf(*own.value(), *other.value());
  const RaceTimes calls =
      Race({.turn = 2e-2, .rounds = 9}, run, [&] { (void)other.value()->Call(0); });
  Print(net.name, calls, fmt::format("{}, {:.1e} apart", instructions(calls.first), difference));
  const RaceTimes loads =
      Race({}, [&] { (void)LoadOwnEngine(job); }, [&] { (void)LoadExecutorch(job); });
  Print(net.name + ", load", loads,
        fmt::format("{:.0f} ns a value or instruction", per(loads.first, parts)));
  return "";
}

int Main(const std::vector<std::string>& names) {
  if (!HasExecutorch()) fmt::print("{}\n", LoadExecutorch({}).error());
  fmt::print("{:<22} {:>12} {:>12} {:>8}\n", "net", "ours, us", "theirs, us", "ratio");
  int failed = 0;
  for (const Net& net : kNets) {
    if (!names.empty() && std::ranges::count(names, net.name) == 0) continue;
    const std::string why = RaceNet(net);
    if (why.empty()) continue;
    fmt::print("{:<22} {}\n", net.name, why);
    failed = 1;
  }
  return failed;
}

}  // namespace
}  // namespace pteproof::bench

int main(int argc, char** argv) {
  return pteproof::bench::Main({argv + 1, argv + argc});
}
