// The facts that an overlap needs, worked out by hand, and each shown to be needed without a solver
// of facts: in a program in which it is otherwise, the proof has nothing against the pair.
#include "properties/explain/why_refuted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/method_recipe.h"

namespace pteproof::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// x is squared into v1, something is written to v2, which lies over the end of v1, and then v1 is
// read. Bytes: x [0,64), v1 [64,128), v2 [96,160), the result behind them.
struct Overlap {
  uint64_t begin_of_v1 = 64;
  int32_t elements_of_v1 = 16;
  uint64_t begin_of_v2 = 96;
  int32_t elements_of_v2 = 16;
  bool writes_v2 = true;  // false: a value that lies elsewhere
  bool reads_v1 = true;   // false: x instead
};

Program ProgramOf(const Overlap& overlap) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {16});
  m.Input(x);
  const int32_t v1 = m.Planned(1, overlap.begin_of_v1, {overlap.elements_of_v1});
  const int32_t v2 = m.Planned(1, overlap.begin_of_v2, {overlap.elements_of_v2});
  const int32_t apart = m.Planned(1, 4096, {16});
  const int32_t result = m.Planned(1, 8192, {16});
  m.Mul(x, x, v1);
  m.Add(x, x, overlap.writes_v2 ? v2 : apart);
  m.Add(x, overlap.reads_v1 ? v1 : x, result);
  m.Output(result);
  m.Output(overlap.writes_v2 ? v2 : apart);
  return pteproof::ProgramOf({m.Build()});
}

// The refuted pairs of a program, each with its facts.
std::vector<Why> OverlapsOf(const Program& program) {
  const proofs::Proof proof = proofs::Prove(program, {});
  const Whys whys = WhysOf(program, {}, proof);
  std::vector<Why> overlaps;
  for (const auto& [o, why] : whys.why) {
    if (proof.obligations.list[o].loss) overlaps.push_back(why);
  }
  return overlaps;
}

bool IsRefuted(const Overlap& overlap) {
  const Program program = ProgramOf(overlap);
  const bool refuted = !OverlapsOf(program).empty();
  // The check sees it in the same way, on its own.
  const auto findings = Check(program).findings;
  EXPECT_EQ(
      std::ranges::any_of(findings, [](const Finding& f) { return f.rule == rule::kPlanOverlap; }),
      refuted);
  return refuted;
}

// By hand: [64,128) reaches beyond 96, so that v1's place and v2's begin are enough; how long v2 is
// does not matter, if it is there at all.
TEST(Explain, KeepsOnlyTheFactsThatTheOverlapNeeds) {
  const auto overlaps = OverlapsOf(ProgramOf(Overlap{}));
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_EQ(overlaps[0].why_not, "");
  EXPECT_EQ(overlaps[0].facts, 6U);
  EXPECT_THAT(overlaps[0].enough,
              UnorderedElementsAre("v1 lies at [64,128) of bank 1",
                                   "v2 begins at byte 96 of bank 1, of any length but 0",
                                   "instruction 1 (aten::add.out) writes v2",
                                   "instruction 2 (aten::add.out) reads v1, which instruction 0 "
                                   "(aten::mul.out) made"));
}

TEST(Explain, EachFactOfTheOverlapIsNeeded) {
  ASSERT_TRUE(IsRefuted({}));
  EXPECT_FALSE(IsRefuted({.begin_of_v1 = 1024}));
  EXPECT_FALSE(IsRefuted({.elements_of_v1 = 8}));
  EXPECT_FALSE(IsRefuted({.begin_of_v2 = 128}));
  EXPECT_FALSE(IsRefuted({.elements_of_v2 = 0}));
  EXPECT_FALSE(IsRefuted({.writes_v2 = false}));
  EXPECT_FALSE(IsRefuted({.reads_v1 = false}));
}

TEST(Explain, WhatIsNotAmongTheFactsMayBeOtherwise) {
  for (const int32_t elements : {1, 4, 1000}) {
    EXPECT_TRUE(IsRefuted({.elements_of_v2 = elements})) << elements;
  }
}

TEST(Explain, NeedsNoSizesWhereTwoValuesBeginTogether) {
  const auto overlaps = OverlapsOf(ProgramOf(Overlap{.begin_of_v2 = 64}));
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_THAT(overlaps[0].enough,
              testing::IsSupersetOf({"v1 begins at byte 64 of bank 1, of any length but 0",
                                     "v2 begins at byte 64 of bank 1, of any length but 0"}));
  EXPECT_EQ(overlaps[0].facts, 6U);
}

// Of sizes that vary, those at which the proof refutes are facts like others.
TEST(Explain, TakesVaryingSizesFromTheRefutation) {
  Program program = ProgramOf(Overlap{});
  Tensor& v1 = program.methods[0].tensors[1];
  ASSERT_EQ(v1.offset, 64U);
  v1.dynamism = Dynamism::kBounded;
  const auto overlaps = OverlapsOf(program);
  ASSERT_EQ(overlaps.size(), 1U);
  EXPECT_EQ(overlaps[0].why_not, "");
  // Any end beyond 96, up to the bound.
  const auto& texts = overlaps[0].enough;
  const std::string start = "v1 lies at [64,";
  const auto at =
      std::ranges::find_if(texts, [&](const std::string& text) { return text.starts_with(start); });
  ASSERT_NE(at, texts.end());
  const int end = std::stoi(at->substr(start.size()));
  EXPECT_GT(end, 96);
  EXPECT_LE(end, 128);
}

TEST(Explain, NamesTheBankThatAValueLeaves) {
  Program program = ProgramOf(Overlap{.begin_of_v2 = 128});
  program.methods[0].bank_sizes[1] = 8200;  // the result lies at [8192,8256)
  const proofs::Proof proof = proofs::Prove(program, {});
  const Whys whys = WhysOf(program, {}, proof);
  ASSERT_EQ(whys.why.size(), 1U);
  EXPECT_THAT(whys.why.begin()->second.enough,
              ElementsAre("v4 lies at [8192,8256) of bank 1", "bank 1 has 8200 bytes"));
}

TEST(Explain, HasNothingToSayOfASafeProgram) {
  const Program program = ProgramOf(Overlap{.begin_of_v2 = 128});
  EXPECT_TRUE(WhysOf(program, {}, proofs::Prove(program, {})).why.empty());
}

// An instruction that reads what it overwrites, and not element by element.
TEST(Explain, SaysThatAnOperandIsReadWhileItIsOverwritten) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t result = m.Planned(1, 0, {4});
  m.Flip(x, result);
  m.Output(result);
  const auto overlaps = OverlapsOf(pteproof::ProgramOf({m.Build()}));
  ASSERT_FALSE(overlaps.empty());
  EXPECT_THAT(overlaps[0].enough,
              testing::Contains(HasSubstr("(aten::flip.out) reads v0 while it writes")));
}

// v1 is one of the names of v0's bytes.
TEST(Explain, NamesTheMoveThatAnOverlapNeeds) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t made = m.Planned(1, 64, {4});
  const int32_t moved = m.Planned(1, 128, {4});
  const int32_t over = m.Planned(1, 64, {4});
  const int32_t result = m.Planned(1, 256, {4});
  m.Mul(x, x, made);
  m.Move(made, moved);
  m.Flip(x, over);
  m.Add(moved, over, result);
  m.Output(result);
  const auto overlaps = OverlapsOf(pteproof::ProgramOf({m.Build()}));
  ASSERT_FALSE(overlaps.empty());
  EXPECT_TRUE(std::ranges::any_of(overlaps, [&](const Why& why) {
    return std::ranges::any_of(why.enough, [&](const std::string& text) {
      return text.find("is a name of v" + std::to_string(made) + "'s bytes") != std::string::npos;
    });
  }));
}

// Whatever pair of whatever method is refuted, there are facts that are enough.
TEST(Explain, HasFactsForEachRefutedPairOfRandomMethods) {
  RecordProperty("slow", "draws many random cases");
  std::mt19937 random(11);
  size_t pairs = 0;
  for (int n = 0; n < 60; ++n) {
    const Recipe recipe = RandomRecipe(random, {.jumps = n % 2 == 0});
    for (const Why& why : OverlapsOf(pteproof::ProgramOf({MethodOf(recipe)}))) {
      ++pairs;
      ASSERT_EQ(why.why_not, "") << Words(recipe);
      ASSERT_GE(why.facts, 4U) << Words(recipe);
      ASSERT_LE(why.facts, 8U) << Words(recipe);
    }
  }
  EXPECT_GE(pairs, 50U);
}

}  // namespace
}  // namespace pteproof::explain
