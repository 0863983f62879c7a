// When a name comes to be that branches and loops use.
#include "meaning/births.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace pteproof::meaning {
namespace {

// Blocks of two instructions each, with these edges.
FlowGraph Blocks(int32_t count, const std::vector<std::pair<int32_t, int32_t>>& edges) {
  FlowGraph graph;
  for (int32_t b = 0; b < count; ++b) {
    Block& block = graph.blocks.emplace_back();
    block.begin = 2 * b;
    block.end = 2 * b + 2;
    block.reachable = true;
    graph.block_of.insert(graph.block_of.end(), {b, b});
  }
  for (const auto& [from, to] : edges) {
    graph.blocks[static_cast<size_t>(from)].successors.push_back(to);
    graph.blocks[static_cast<size_t>(to)].predecessors.push_back(from);
  }
  return graph;
}

// 0 leads to 1 or 2, and both to 3.
FlowGraph Diamond() {
  return Blocks(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
}

TEST(Births, AreWhereTheNumberingHasThemIfThatIsOnTheWay) {
  const FlowGraph graph = Diamond();
  const Births births(graph);
  EXPECT_EQ(births.MomentOf(0, std::vector<BlockUse>{{3, 7}}), 0);
  EXPECT_EQ(births.MomentOf(1, std::vector<BlockUse>{{1, 3}, {2, 4}}), 1);
  EXPECT_EQ(births.MomentOf(2, std::vector<BlockUse>{{1, 3}}), 2);
}

TEST(Births, AreBeforeTheBranchThatOnlySomeWaysTake) {
  const FlowGraph graph = Diamond();
  const Births births(graph);
  EXPECT_EQ(births.MomentOf(2, std::vector<BlockUse>{{2, 5}}), 1);
  EXPECT_EQ(births.MomentOf(2, std::vector<BlockUse>{{3, 6}}), 1);
  EXPECT_EQ(births.MomentOf(3, std::vector<BlockUse>{{1, 3}, {2, 4}}), 1);
}

TEST(Births, AreNotBehindTheFirstUse) {
  const FlowGraph graph = Diamond();
  const Births births(graph);
  EXPECT_EQ(births.MomentOf(7, std::vector<BlockUse>{{0, 1}, {3, 7}}), 1);
  EXPECT_EQ(births.MomentOf(8, std::vector<BlockUse>{{3, 6}}), 6);
}

// 1 is a loop: what is used in it is made in each round.
TEST(Births, AreInEachRoundOfTheLoopThatUsesThem) {
  const FlowGraph graph = Blocks(3, {{0, 1}, {1, 1}, {1, 2}});
  const Births births(graph);
  EXPECT_EQ(births.MomentOf(2, std::vector<BlockUse>{{1, 3}}), 2);
  EXPECT_EQ(births.MomentOf(1, std::vector<BlockUse>{{1, 3}}), 1);
}

TEST(Births, AreForTheUsesThatAPathLeadsTo) {
  FlowGraph graph = Diamond();
  graph.blocks[2].reachable = false;
  const Births births(graph);
  EXPECT_EQ(births.MomentOf(2, std::vector<BlockUse>{{1, 3}, {2, 4}}), 2);
  EXPECT_EQ(births.MomentOf(4, std::vector<BlockUse>{{2, 5}}), 4);
}

// On every path: the block without which the other cannot be reached.
bool IsOnEveryPath(const FlowGraph& graph, int32_t through, int32_t to) {
  if (through == to || through == 0) return true;
  std::vector<bool> reached(graph.blocks.size());
  reached[0] = true;
  for (size_t b = 0; b < graph.blocks.size(); ++b) {
    if (!reached[b]) continue;
    for (const int32_t next : graph.blocks[b].successors) {
      if (next > static_cast<int32_t>(b) && next != through) {
        reached[static_cast<size_t>(next)] = true;
      }
    }
  }
  return !reached[static_cast<size_t>(to)];
}

TEST(Dominators, AreTheBlocksWithoutWhichNoneIsReached) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto count = static_cast<int32_t>(2 + random() % 12);
    std::vector<std::pair<int32_t, int32_t>> edges;
    for (int32_t b = 0; b + 1 < count; ++b) {
      edges.emplace_back(b, b + 1);
      edges.emplace_back(b, static_cast<int32_t>(random() % static_cast<uint32_t>(count)));
    }
    const FlowGraph graph = Blocks(count, edges);
    const Dominators dominators(graph);
    for (int32_t a = 0; a < count; ++a) {
      for (int32_t b = 0; b < count; ++b) {
        int32_t last = 0;
        for (int32_t c = 0; c < count; ++c) {
          if (IsOnEveryPath(graph, c, a) && IsOnEveryPath(graph, c, b)) last = c;
        }
        EXPECT_EQ(dominators.CommonOf(a, b), last) << a << " and " << b << " of " << count;
      }
    }
  }
}

}  // namespace
}  // namespace pteproof::meaning
