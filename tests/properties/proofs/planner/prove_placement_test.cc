#include "properties/proofs/planner/prove_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/placement/fit.h"
#include "planner/placement/greedy.h"
#include "properties/proofs/planner/known_wrong.h"

namespace pteproof::proofs {
namespace {

using placement::Item;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kPlacementSeconds = 120;

// First-fit whose layout is spoilt afterwards.
template <class Spoil>
PlacementSubject Spoilt(Spoil spoil) {
  return SubjectOf("spoilt", IndexOverlap, [spoil]<class Int>(std::span<const Item<Int>> items) {
    placement::Layout<Int> layout = placement::FirstFit(items);
    spoil(items, layout);
    return layout;
  });
}

PlannerProof ProofOf(const PlacementSubject& subject, PlacementCase of) {
  return ProvePlacement(subject, of, kPlacementSeconds);
}

TEST(ProvePlacement, RefutesEveryBrokenProperty) {
  const PlacementCase two{.storages = 2};
  const PlannerProof beyond = ProofOf(Spoilt([](const auto& items, auto& layout) {
                                        if (items[0].size < items[1].size)
                                          layout.peak = layout.peak - 1;
                                      }),
                                      two);
  EXPECT_EQ(beyond.answer, Answer::kRefuted);
  EXPECT_THAT(beyond.counterexample, HasSubstr("beyond the peak"));

  const PlannerProof below = ProofOf(
      Spoilt([](const auto&, auto& layout) { layout.offsets[1] = layout.offsets[1] - 1; }), two);
  EXPECT_EQ(below.answer, Answer::kRefuted);

  const PlannerProof high = ProofOf(
      Spoilt([](const auto& items, auto& layout) { layout.peak = layout.peak + items[0].size; }),
      two);
  EXPECT_EQ(high.answer, Answer::kRefuted);
  EXPECT_THAT(high.counterexample, StartsWith("bounded"));
  EXPECT_THAT(high.counterexample, HasSubstr("above the sum"));
}

TEST(ProvePlacement, RefutesTheDeferredInPlaceRule) {
  const PlannerProof proof = ProofOf(DeferredInPlace(), {.storages = 3, .in_place = true});
  EXPECT_EQ(proof.answer, Answer::kRefuted);
  EXPECT_FALSE(proof.cut);
  EXPECT_THAT(proof.counterexample, StartsWith("disjoint"));
  EXPECT_THAT(proof.counterexample, HasSubstr("storages 1 and 2 share bytes"));
}

// The lives as they were found in ExecuTorch.
TEST(DeferredInPlace, PutsAResultOverAnother) {
  std::vector<Item<int64_t>> items = {{.size = 64, .alignment = 16, .live = {{0, 3}}},
                                      {.size = 64, .alignment = 16, .live = {{4, 6}}},
                                      {.size = 64, .alignment = 16, .live = {{2, 7}}}};
  items[2].tie = {.base = 0, .inside = 0};
  EXPECT_EQ(DeferredInPlace().concrete(items).offsets, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(placement::Greedy(std::span<const Item<int64_t>>(items)).offsets,
            (std::vector<int64_t>{64, 0, 64}));
}

TEST(ProvePlacement, ProvesTheShippedRuleForResultsInPlace) {
  for (const PlacementSubject& subject : ShippedAlgorithms()) {
    EXPECT_EQ(ProofOf(subject, {.storages = 3, .in_place = true}).answer, Answer::kProved)
        << subject.name;
  }
}

TEST(ProvePlacement, RefutesFirstFitsWithMistakes) {
  for (const PlacementSubject& subject : FirstFitsWithMistakes()) {
    const PlannerProof proof = ProofOf(subject, {.storages = 3});
    EXPECT_EQ(proof.answer, Answer::kRefuted) << subject.name;
    EXPECT_NE(proof.counterexample, "") << subject.name;
  }
}

TEST(ProvePlacement, RefutesMistakesInMixedAlignments) {
  for (const PlacementSubject& subject : FirstFitsWithMistakes()) {
    const PlannerProof proof = ProofOf(
        subject, {.storages = 3, .kind = AlignmentKind::kNumbers, .alignments = {4, 1, 16}});
    EXPECT_EQ(proof.answer, Answer::kRefuted) << subject.name;
  }
}

// Naive puts items where their order says.
TEST(ProvePlacement, RefutesAnOrderThatMatters) {
  const PlacementSubject naive = ShippedAlgorithms().front();
  ASSERT_EQ(naive.name, "naive");
  const PlannerProof proof = ProofOf(naive, {.storages = 2, .all_orders = true});
  EXPECT_EQ(proof.answer, Answer::kRefuted);
  EXPECT_THAT(proof.counterexample, HasSubstr("the order 1 0 changes the layout"));
}

TEST(ProvePlacement, RefutesATieAndAFixedPlaceThatAreNotKept) {
  const auto moved = Spoilt([](const auto&, auto& layout) {
    for (auto& offset : layout.offsets) offset = offset + 64;
    layout.peak = layout.peak + 64;
  });
  const PlannerProof fixed = ProofOf(moved, {.storages = 2, .fixed = true});
  EXPECT_EQ(fixed.answer, Answer::kRefuted);
  EXPECT_THAT(fixed.counterexample, HasSubstr("fixed at"));

  const auto torn = Spoilt([](const auto&, auto& layout) {
    layout.offsets[1] = layout.offsets[1] + 1;
    layout.peak = layout.peak + 1;
  });
  const PlannerProof tied = ProofOf(torn, {.storages = 2, .tied = true});
  EXPECT_EQ(tied.answer, Answer::kRefuted);
  EXPECT_THAT(tied.counterexample, HasSubstr("tied to bytes at"));
}

// Right for all numbers, but not for all that abstract rounding may be.
TEST(ProvePlacement, CallsAModelThatNoNumbersConfirmUnknown) {
  const auto careful = Spoilt([](const auto& items, auto& layout) {
    using placement::AlignUp;
    const auto together = AlignUp(items[0].size + items[1].size, items[0].alignment);
    const auto apart =
        AlignUp(items[0].size, items[0].alignment) + AlignUp(items[1].size, items[1].alignment);
    if (apart < together) layout.peak = layout.peak - 1;
  });
  const PlannerProof proof = ProofOf(careful, {.storages = 2});
  EXPECT_EQ(proof.answer, Answer::kUnknown);
  EXPECT_FALSE(proof.cut);
  EXPECT_THAT(proof.why, HasSubstr("no numbers confirm"));
  EXPECT_EQ(ProofOf(careful, {.storages = 2, .kind = AlignmentKind::kNumbers, .alignments = {8, 8}})
                .answer,
            Answer::kProved);
}

TEST(ProvePlacement, IsCutWhereTimeEnds) {
  const PlannerProof proof = ProvePlacement(ShippedAlgorithms().front(), {.storages = 2}, 0);
  EXPECT_EQ(proof.answer, Answer::kUnknown);
  EXPECT_TRUE(proof.cut);
  EXPECT_EQ(proof.why, "the time limit");
}

// The peak is not bounded by sizes that are rounded to alignments of their own.
TEST(PeakBound, IsOfTheLargestAlignment) {
  const std::vector<Item<int64_t>> items = {{.size = 3, .alignment = 1, .live = {{0, 1}}},
                                            {.size = 2, .alignment = 2, .live = {{0, 1}}},
                                            {.size = 2, .alignment = 1, .live = {{0, 1}}}};
  EXPECT_EQ(placement::FirstFit(std::span<const Item<int64_t>>(items)).peak, 8);
}

}  // namespace
}  // namespace pteproof::proofs
