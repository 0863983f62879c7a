#include "meaning/flow_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FlowGraphOfMethod : public ::testing::Test {
 protected:
  FlowGraphOfMethod() : x_(b_.Planned(1, 0, {1})), y_(b_.Planned(1, 4, {1})) {}

  void Work() { b_.Mul(x_, x_, y_); }
  // A condition that only a run knows.
  int32_t Unknown() {
    const int32_t flag = b_.Bool(false);
    b_.Move(b_.Bool(true), flag);
    return flag;
  }
  FlowGraph Of() {
    method_ = b_.Build();
    return FlowGraphOf(method_, EffectsOf(method_, nullptr));
  }

  MethodBuilder b_;
  Method method_;
  int32_t x_;
  int32_t y_;
};

TEST_F(FlowGraphOfMethod, IsOneEmptyBlockWithoutCode) {
  const FlowGraph graph = Of();
  EXPECT_TRUE(graph.straight());
  EXPECT_TRUE(graph.blocks[0].reachable);
  EXPECT_TRUE(graph.blocks[0].exits);
  EXPECT_EQ(graph.blocks[0].end, 0);
}

TEST_F(FlowGraphOfMethod, IsOneBlockWithoutJumps) {
  Work();
  Work();
  const FlowGraph graph = Of();
  EXPECT_TRUE(graph.straight());
  EXPECT_EQ(graph.blocks[0].end, 2);
  EXPECT_TRUE(graph.blocks[0].exits);
  EXPECT_THAT(graph.blocks[0].successors, IsEmpty());
}

TEST_F(FlowGraphOfMethod, SplitsABranchAndJoinsIt) {
  const int32_t flag = Unknown();   // 0
  b_.JumpFalse(flag, 4);            // 1
  Work();                           // 2
  b_.JumpFalse(b_.Bool(false), 5);  // 3
  Work();                           // 4
  Work();                           // 5
  const FlowGraph graph = Of();
  ASSERT_EQ(graph.blocks.size(), 4U);
  EXPECT_THAT(graph.block_of, ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(graph.blocks[1].successors, ElementsAre(3));
  EXPECT_THAT(graph.blocks[2].successors, ElementsAre(3));
  EXPECT_THAT(graph.blocks[3].predecessors, ElementsAre(1, 2));
  EXPECT_TRUE(graph.blocks[3].exits);
  EXPECT_FALSE(graph.blocks[1].exits);
}

TEST_F(FlowGraphOfMethod, ClosesALoop) {
  const int32_t flag = Unknown();  // 0
  Work();                          // 1
  b_.JumpFalse(flag, 1);           // 2
  Work();                          // 3
  const FlowGraph graph = Of();
  ASSERT_EQ(graph.blocks.size(), 3U);
  EXPECT_THAT(graph.blocks[1].successors, ElementsAre(2, 1));
  EXPECT_THAT(graph.blocks[1].predecessors, ElementsAre(0, 1));
}

TEST_F(FlowGraphOfMethod, EndsWhereAJumpGoesBeyondTheLastInstruction) {
  b_.JumpFalse(Unknown(), 3);  // 1, after the move
  Work();
  const FlowGraph graph = Of();
  ASSERT_EQ(graph.blocks.size(), 2U);
  EXPECT_TRUE(graph.blocks[0].exits);
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(1));
  EXPECT_TRUE(graph.blocks[1].exits);
}

TEST_F(FlowGraphOfMethod, AlwaysTakesAJumpOnAConstantFalse) {
  b_.JumpFalse(b_.Bool(false), 2);
  Work();
  Work();
  const FlowGraph graph = Of();
  ASSERT_EQ(graph.blocks.size(), 3U);
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(2));
  EXPECT_FALSE(graph.blocks[1].reachable);
  EXPECT_TRUE(graph.blocks[2].reachable);
}

TEST_F(FlowGraphOfMethod, NeverTakesAJumpOnAConstantTrue) {
  b_.JumpFalse(b_.Bool(true), 2);
  Work();
  Work();
  const FlowGraph graph = Of();
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(1));
  EXPECT_TRUE(graph.blocks[1].reachable);
}

TEST_F(FlowGraphOfMethod, GoesBothWaysOnABoolThatSomethingReplaces) {
  const int32_t flag = b_.Bool(true);
  b_.JumpFalse(flag, 2);
  Work();
  b_.Move(b_.Bool(false), flag);
  EXPECT_THAT(Of().blocks[0].successors, ElementsAre(1, 2));
}

TEST_F(FlowGraphOfMethod, GoesBothWaysOnABoolThatTheCallerGives) {
  const int32_t flag = b_.Bool(false);
  b_.Input(flag);
  b_.JumpFalse(flag, 2);
  Work();
  Work();
  EXPECT_THAT(Of().blocks[0].successors, ElementsAre(1, 2));
}

TEST_F(FlowGraphOfMethod, GoesBothWaysOnATensor) {
  const int32_t flag = b_.Planned(1, 8, {1}, {}, ScalarType::kBool);
  b_.JumpFalse(flag, 2);
  Work();
  Work();
  EXPECT_THAT(Of().blocks[0].successors, ElementsAre(1, 2));
}

TEST_F(FlowGraphOfMethod, CountsOnceAJumpToTheNextInstruction) {
  b_.JumpFalse(Unknown(), 2);
  Work();
  const FlowGraph graph = Of();
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(1));
  EXPECT_THAT(graph.blocks[1].predecessors, ElementsAre(0));
}

TEST_F(FlowGraphOfMethod, SpinsForeverOnAJumpToItself) {
  b_.JumpFalse(b_.Bool(false), 0);
  Work();
  const FlowGraph graph = Of();
  EXPECT_THAT(graph.blocks[0].successors, ElementsAre(0));
  EXPECT_FALSE(graph.blocks[0].exits);
  EXPECT_FALSE(graph.blocks[1].reachable);
}

TEST_F(FlowGraphOfMethod, FollowsAChainOfManyBlocks) {
  const int32_t flag = Unknown();
  constexpr int32_t kJumps = 20'000;
  for (int32_t i = 0; i < kJumps; ++i) b_.JumpFalse(flag, b_.Next() + 2);
  Work();
  Work();
  const FlowGraph graph = Of();
  EXPECT_EQ(graph.blocks.size(), static_cast<size_t>(kJumps) + 2);
  EXPECT_TRUE(graph.blocks.back().reachable);
}

}  // namespace
}  // namespace pteproof::meaning
