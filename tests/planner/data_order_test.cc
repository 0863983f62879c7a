// Which steps come before which, whatever the listing says.
#include "planner/passes/data_order.h"

#include <gtest/gtest.h>

#include <string>

#include "planner/code/linearise.h"
#include "tests/support/plan_text.h"

namespace pteproof::planner {
namespace {

struct Ordered {
  explicit Ordered(const std::string& text)
      : module(ModuleOf(text)), code(Linearise(module, 0)), order(code, AccessesOf(code)) {}

  graph::Module module;
  Code code;
  DataOrder order;
};

TEST(DataOrderTest, AStepWaitsForWhatItReadsAtAnyRemove) {
  const Ordered o(R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::exp.out(%x)
  %2: float32[4] = aten::abs.out(%0)
  %3: float32[4] = aten::relu.out(%2)
  return %1, %3
}
)");
  EXPECT_FALSE(o.order.IsBefore(0, 1));
  EXPECT_TRUE(o.order.IsBefore(0, 2));
  EXPECT_TRUE(o.order.IsBefore(0, 3));
  EXPECT_FALSE(o.order.IsBefore(1, 3));
  EXPECT_EQ(o.order.LastUnordered(0), 1);
  EXPECT_EQ(o.order.LastUnordered(1), 3);
  EXPECT_EQ(o.order.LastUnordered(3), 3);
}

// full_like asks for the sizes of its operand alone.
TEST(DataOrderTest, SizesOrderNothing) {
  const Ordered o(R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::full_like.out(%0, 1.0, None)
  return %0, %1
}
)");
  EXPECT_FALSE(o.order.IsBefore(0, 1));
}

// Step 0 jumps over 1 and 2.
TEST(DataOrderTest, JumpsKeepTheListing) {
  const Ordered o(R"(
method f(%x: float32[4], %p: bool) {
  %0: float32[4] = cond(%p, %x) {
    (%1: float32[4]) {
      %2: float32[4] = aten::neg.out(%1)
      return %2
    }
    (%3: float32[4]) {
      return %3
    }
  }
  %4: float32[4] = aten::exp.out(%x)
  return %0, %4
}
)");
  ASSERT_EQ(o.code.steps[0].kind, StepKind::kJumpFalse);
  EXPECT_TRUE(o.order.IsBefore(0, 1));
  const auto last = static_cast<int32_t>(o.code.steps.size()) - 1;
  EXPECT_TRUE(o.order.IsBefore(1, last));
}

}  // namespace
}  // namespace pteproof::planner
