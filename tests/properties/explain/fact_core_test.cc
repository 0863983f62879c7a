// The smallest sets of facts, against enumeration.
#include "properties/explain/fact_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pteproof::explain {
namespace {

using proofs::Comparison;
using proofs::Relation;

constexpr int64_t kMost = 4;  // symbols are 0 to 4

SizeExpr Of(int32_t symbol) {
  return SizeExpr::Symbol(symbol);
}

bool Holds(const Comparison& c, const std::vector<int64_t>& at) {
  const int64_t left = c.left.At(at);
  const int64_t right = c.right.At(at);
  if (c.relation == Relation::kEqual) return left == right;
  return c.relation == Relation::kLess ? left < right : left <= right;
}

// Whether some values meet these facts and the goal.
bool IsPossible(const FactQuestion& q, const std::vector<size_t>& facts) {
  std::vector<int64_t> at(static_cast<size_t>(q.symbols), 0);
  for (;;) {
    const bool goal = std::ranges::any_of(q.goal, [&](const auto& c) { return Holds(c, at); });
    const bool met = std::ranges::all_of(facts, [&](size_t f) {
      return std::ranges::all_of(q.facts[f], [&](const auto& c) { return Holds(c, at); });
    });
    if (goal && met) return true;
    size_t s = 0;
    while (s < at.size() && ++at[s] > kMost) at[s++] = 0;
    if (s == at.size()) return false;
  }
}

Comparison RandomComparison(std::mt19937& random, int32_t symbols) {
  const auto symbol = [&] {
    return static_cast<int32_t>(random() % static_cast<uint32_t>(symbols));
  };
  const SizeExpr left = Of(symbol()) + SizeExpr(static_cast<int64_t>(random() % 3));
  const SizeExpr right =
      random() % 2 == 0 ? Of(symbol()) : SizeExpr(static_cast<int64_t>(random() % 5));
  return {left, static_cast<Relation>(random() % 3), right};
}

FactQuestion RandomFactQuestion(std::mt19937& random) {
  FactQuestion q;
  q.symbols = 3;
  for (int32_t s = 0; s < q.symbols; ++s) {
    q.always.push_back({SizeExpr(0), Relation::kLessEqual, Of(s)});
    q.always.push_back({Of(s), Relation::kLessEqual, SizeExpr(kMost)});
  }
  for (int f = 0; f < 4; ++f) {
    q.facts.push_back({RandomComparison(random, q.symbols)});
    if (random() % 3 == 0) q.facts.back().push_back(RandomComparison(random, q.symbols));
  }
  for (int g = 0; g < 2; ++g) q.goal.push_back(RandomComparison(random, q.symbols));
  return q;
}

TEST(FactCore, IsEnoughAndNoFactLessIs) {
  RecordProperty("slow", "draws many random cases");
  std::mt19937 random(5);
  int with_core = 0;
  int without = 0;
  for (int n = 0; n < 200; ++n) {
    const FactQuestion q = RandomFactQuestion(random);
    std::vector<size_t> all;
    for (size_t f = 0; f < q.facts.size(); ++f) all.push_back(f);
    const FactCore core = SmallestCore(q);
    ASSERT_EQ(core.why_not.empty(), !IsPossible(q, all)) << n << " " << core.why_not;
    if (!core.why_not.empty()) {
      ++without;
      continue;
    }
    ++with_core;
    EXPECT_FALSE(IsPossible(q, core.kept)) << n;
    for (size_t left_out = 0; left_out < core.kept.size(); ++left_out) {
      std::vector<size_t> fewer = core.kept;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
      EXPECT_TRUE(IsPossible(q, fewer)) << n << " without " << core.kept[left_out];
    }
  }
  EXPECT_GE(with_core, 20);
  EXPECT_GE(without, 5);
}

TEST(FactCore, KeepsTheLaterOfTwoFactsThatSayTheSame) {
  FactQuestion q;
  q.symbols = 1;
  q.goal = {{Of(0), Relation::kEqual, SizeExpr(0)}};
  const Comparison positive = {SizeExpr(1), Relation::kLessEqual, Of(0)};
  q.facts = {{positive}, {{SizeExpr(7), Relation::kEqual, Of(0)}}, {positive}};
  const FactCore core = SmallestCore(q);
  EXPECT_EQ(core.why_not, "");
  EXPECT_EQ(core.kept, std::vector<size_t>{2});
}

TEST(FactCore, HasNoneWhereTheFactsDoNotSuffice) {
  FactQuestion q;
  q.symbols = 1;
  q.goal = {{Of(0), Relation::kEqual, SizeExpr(0)}};
  q.facts = {{{SizeExpr(0), Relation::kLessEqual, Of(0)}}};
  EXPECT_NE(SmallestCore(q).why_not, "");
}

// More facts than are tried one by one.
TEST(FactCore, FindsTheOneAmongMany) {
  FactQuestion q;
  q.symbols = 300;
  for (int32_t s = 0; s < q.symbols; ++s) {
    q.facts.push_back({{SizeExpr(s), Relation::kEqual, Of(s)}});
  }
  q.goal = {{Of(217), Relation::kLess, SizeExpr(217)}};
  EXPECT_EQ(SmallestCore(q).kept, std::vector<size_t>{217});
}

}  // namespace
}  // namespace pteproof::explain
