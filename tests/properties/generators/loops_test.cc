// Loops of random Modules run. When bytes are mixed their tests are a matter of luck, and a body
// that never runs is compared with nothing.
#include <gtest/gtest.h>

#include <cstdint>

#include "properties/generators/draw.h"
#include "properties/differential/trace.h"

namespace pteproof::generators {
namespace {

// How often loops' tests held, and how often they did not, in the calls of so many cases.
struct Tests {
  uint64_t held = 0;
  uint64_t failed = 0;
};

Tests TestsIn(uint64_t cases, Semantics semantics) {
  Tests tests;
  RunOptions options = OptionsFor(semantics);
  options.observer = [&](const graph::Node& node, graph::ValueId, const TensorValue& made,
                         std::span<const int64_t>) {
    if (node.op != "aten::lt.Scalar_out") return;
    ++(made.bytes.front() == std::byte{0} ? tests.failed : tests.held);
  };
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase c = BuildCase(DrawCase(seed));
    (void)RunAll(c.module, c.calls, options);
  }
  return tests;
}

TEST(RandomLoops, RunManyRoundsWhenBytesAreMixed) {
  const Tests tests = TestsIn(1000, Semantics::kHash);
  EXPECT_GT(tests.failed, 100);
  EXPECT_GT(tests.held, tests.failed / 4);
}

TEST(RandomLoops, RunManyRoundsAsTheyAre) {
  const Tests tests = TestsIn(1000, Semantics::kReal);
  EXPECT_GT(tests.failed, 100);
  EXPECT_GT(tests.held, tests.failed);
}

}  // namespace
}  // namespace pteproof::generators
