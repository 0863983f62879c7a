#include "properties/generators/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/generators/draw.h"
#include "reference/graph/validate.h"

namespace pteproof::generators {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Statistics Draw(uint64_t cases) {
  Statistics statistics;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const RandomCase c = BuildCase(DrawCase(seed));
    statistics.Add(c, graph::Validate(c.module).empty());
  }
  return statistics;
}

TEST(DefaultDistribution, IsHealthy) {
  EXPECT_THAT(HealthProblems(Draw(3000)), IsEmpty());
}

TEST(HealthProblems, NameATraitThatIsNoLongerDrawn) {
  Statistics statistics = Draw(1000);
  statistics.with[static_cast<size_t>(Trait::kPermutedStore)] = 10;
  EXPECT_THAT(HealthProblems(statistics), ElementsAre(HasSubstr("permuted store: 1.0%")));
}

TEST(HealthProblems, NameTooManyInvalidCases) {
  Statistics statistics = Draw(1000);
  statistics.invalid = 11;
  EXPECT_THAT(HealthProblems(statistics), ElementsAre(HasSubstr("11 of 1000 cases are invalid")));
}

TEST(HealthProblems, SayNothingOfAFewCases) {
  EXPECT_THAT(HealthProblems(Draw(10)), IsEmpty());
}

TEST(Median, IsTheMiddleOfTheCases) {
  EXPECT_EQ(Statistics::Median({0, 1, 1, 3}), 3);
  EXPECT_EQ(Statistics::Median({3, 1, 1}), 0);
}

TEST(DrawCase, GivesEqualCasesForEqualSeeds) {
  EXPECT_EQ(BuildModule(DrawCase(7)), BuildModule(DrawCase(7)));
  EXPECT_NE(BuildModule(DrawCase(7)), BuildModule(DrawCase(8)));
}

}  // namespace
}  // namespace pteproof::generators
