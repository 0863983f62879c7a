// Checks of programs with a great many of one thing end in the verdict that a few of it get; where
// names for the same bytes are beyond the limit on work, in no verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/counts.h"
#include "tests/support/large_programs.h"

namespace pteproof {
namespace {

using testing::Each;

// Sanitized, a tenth of it takes as long.
const int32_t kMillion = IsCampaign() ? 1'000'000 : 100'000;

void ExpectVerdict(const Program& program, Verdict verdict) {
  EXPECT_THAT(Check(program).verdicts, Each(verdict));
}

void ExpectSafe(Method method) {
  ExpectVerdict(ProgramOf({std::move(method)}), Verdict::kSafe);
}

TEST(CheckLoad, OfAMillionValuesIsSafe) {
  ExpectSafe(ManyValues(kMillion));
}

TEST(CheckLoad, OfALongChainIsSafeOrFindsTheOneLoss) {
  Method chain = LongChain(kMillion / 2);
  ExpectSafe(chain);
  // One product's result lies where its operand's neighbour does: half of it is lost.
  chain.tensors[1000].offset = 8;
  const Report report = Check(ProgramOf({std::move(chain)}));
  EXPECT_THAT(report.verdicts, Each(Verdict::kUnsafe));
}

TEST(CheckLoad, OfHugeAndOfSharedListsIsSafe) {
  ExpectSafe(HugeLists(kMillion));
  ExpectSafe(SharedList(1000, kMillion / 1000));
}

TEST(CheckLoad, OfAsManyViewsOfOnePlaceIsSafe) {
  ExpectSafe(ManyViews(kMillion / 5));
}

TEST(CheckLoad, OfAHundredThousandJumpsIsSafe) {
  ExpectSafe(ForwardJumps(kMillion / 10));
  ExpectSafe(NestedLoops(kMillion / 10));
  ExpectSafe(JumpsToTheEnd(kMillion / 10));
}

TEST(CheckLoad, OfMovesInManyBranchesIsSafe) {
  ExpectSafe(ManyMoves(kMillion / 50));
}

TEST(CheckLoad, OfTenThousandMethodsThatShareTheirStateTellsOnlyThatItIsShared) {
  ExpectVerdict(ManyMethods(kMillion / 100), Verdict::kSafe);
  const Report report = Check(ManyMethods(kMillion / 100, 5));
  EXPECT_EQ(report.verdicts[static_cast<size_t>(Policy::kPrivate)], Verdict::kUnsafe);
  EXPECT_EQ(report.verdicts[static_cast<size_t>(Policy::kShare12)], Verdict::kSafe);
  EXPECT_EQ(report.verdicts[static_cast<size_t>(Policy::kShareAll)], Verdict::kSafe);
}

// A write of another method into the state is found among all those that are the state's own.
TEST(CheckLoad, FindsTheOneMethodOfManyThatWritesOverTheState) {
  RecordProperty("slow", "a large program");
  Program program = ManyMethods(2000, 3);
  Method& stray = program.methods[1234];
  const int32_t out = stray.outputs.front();
  Tensor& tensor = stray.tensors[stray.values[static_cast<size_t>(out)].tensor];
  tensor.bank = 2;
  tensor.offset = 16;
  const Report report = Check(program);
  EXPECT_EQ(report.verdicts[static_cast<size_t>(Policy::kShareAll)], Verdict::kUnsafe);
  const auto& findings = report.findings;
  const auto clobbers = std::ranges::count_if(findings, [](const Finding& f) {
    return f.rule == rule::kStateClobbered && f.method == "m1234";
  });
  EXPECT_GE(clobbers, 1);
}

bool GaveUp(const Method& method) {
  const Report report = Check(ProgramOf({method}));
  return std::ranges::any_of(report.findings, [](const Finding& f) {
    return f.rule == rule::kNotProvable && f.undecided && f.instruction == -1 &&
           f.explanation.find("beyond the limit on work") != std::string::npos;
  });
}

TEST(CheckLoad, GivesUpWhereAnyOfManyNamesMayLieAnywhere) {
  EXPECT_FALSE(GaveUp(MovesRound(300)));
  EXPECT_TRUE(GaveUp(MovesRound(600)));
}

TEST(CheckLoad, GivesUpWhereManyUnwrittenValuesOverlap) {
  EXPECT_FALSE(GaveUp(UnwrittenOverlaps(300)));
  EXPECT_TRUE(GaveUp(UnwrittenOverlaps(6000)));
}

// Here the search for what they may be put together from ends it.
TEST(CheckLoad, GivesUpWhereAnyOfVeryManyValuesMayBePartOfAnother) {
  RecordProperty("slow", "a large program");
  EXPECT_TRUE(GaveUp(UnwrittenOverlaps(20'000)));
}

}  // namespace
}  // namespace pteproof
