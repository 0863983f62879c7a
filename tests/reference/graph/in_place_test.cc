// The standard examples of updates in place, single use, pass-through, explanations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/graph/in_place_found.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// --- The four standard examples.

TEST(InPlaceTest, ALastUseMayBeOverwritten) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  %2: float32[2] = aten::exp.out(%1)
  return %1, %2
)";
  EXPECT_THAT(Found(kOfX, body, kStrict), IsEmpty());
  EXPECT_THAT(Found(kOfX, body, kAny), IsEmpty());
}

TEST(InPlaceTest, ASecondUseAfterwardsIsInvalid) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  %2: float32[2] = aten::exp.out(%0)
  return %1, %2
)";
  for (const InPlaceOrder use : {kStrict, kAny}) {
    EXPECT_THAT(Found(kOfX, body, use), ElementsAre("in-place-single-use %1 over %0, seen by %2"));
  }
}

TEST(InPlaceTest, AReadThatOnlyTheListingPutsBeforeIsInvalid) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::exp.out(%0)
  %2: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  return %1, %2
)";
  EXPECT_THAT(Found(kOfX, body, kAny),
              ElementsAre("in-place-single-use %2 over %0, seen by %1"));
}

TEST(InPlaceTest, ResultsAreConcatenatedBySlicesOfOneStorage) {
  const char* body = R"(  %0: float32[4] = aten::zeros.out([4])
  %1: float32[2] = aten::neg.out(%x)
  %2: float32[4] = aten::slice_scatter.out(%0, %1, 0, 0, 2, 1) in_place(0)
  %3: float32[2] = aten::exp.out(%x)
  %4: float32[4] = aten::slice_scatter.out(%2, %3, 0, 2, 4, 1) in_place(0)
  return %4
)";
  EXPECT_THAT(Found(kOfX, body, kStrict), IsEmpty());
}

// --- C1.

TEST(InPlaceTest, ReadersBoundToRunBeforeAreForRelaxedUse) {
  const std::string by_data = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::exp.out(%0)
  %2: float32[2] = aten::abs.out(%1)
  %3: float32[2] = aten::add.out(%0, %2, 1) in_place(0)
  return %3
)";
  EXPECT_THAT(Found(kOfX, by_data, kAny), IsEmpty());
  EXPECT_THAT(Found(kOfX, by_data, kStrict),
              ElementsAre("in-place-single-use %3 over %0, seen by %1"));
  // %3 comes after %2, which needs %1.
  const std::string by_edge = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::exp.out(%0)
  %2: float32[2] = aten::abs.out(%1)
  %3: float32[2] = aten::add.out(%0, %x, 1) in_place(0) after(%2)
  return %2, %3
)";
  EXPECT_THAT(Found(kOfX, by_edge, kAny), IsEmpty());
}

TEST(InPlaceTest, AnOperandThatIsReturnedOrStoredIsInUse) {
  const std::string body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::abs.out(%0) in_place(0)
)";
  EXPECT_THAT(Found(kWithBuffer, body + "  return %0, %1\n", kAny),
              ElementsAre("in-place-single-use %1 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  return %1\n  store @b = %0\n", kAny),
              ElementsAre("in-place-single-use %1 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  return %1\n  store %x = %0\n", kAny),
              ElementsAre("in-place-single-use %1 over %0"));
}

TEST(InPlaceTest, TwoNodesDoNotOverwriteOneOperand) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::abs.out(%0) in_place(0)
  %2: float32[2] = aten::add.out(%0, %1, 1) in_place(0)
  return %2
)";
  EXPECT_THAT(Found(kOfX, body, kAny),
              ElementsAre("in-place-single-use %1 over %0, seen by %2",
                          "in-place-single-use %2 over %0, seen by %1"));
}

TEST(InPlaceTest, AnOperandOfARegionIsInUse) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = cond(%p, %0) {
    (%2: float32[2]) {
      return %2
    }
    (%3: float32[2]) {
      return %3
    }
  }
  %4: float32[2] = aten::add.out(%0, %1, 1) in_place(0)
  return %4
)";
  EXPECT_THAT(Found("method f(%p: bool[1], %x: float32[2])", body, kAny),
              ElementsAre("in-place-single-use %4 over %0, seen by %1"));
}

TEST(InPlaceTest, ADelegateReadsItsBuffers) {
  const std::string body = R"(  %0 = entry @b
  %1: float32[2] = aten::neg.out(%0) in_place(0)
  %2: float32[2] = delegate "D"(%x) uses(@b)
  return %2
  store @b = %1
)";
  EXPECT_THAT(Found(kWithBuffer, body, kAny),
              ElementsAre("in-place-single-use %1 over %0, seen by %2"));
}

// --- C2.

TEST(InPlaceTest, TheResultHasTheOperandsTypeAndSizes) {
  EXPECT_THAT(Found(kOfX,
                    R"(  %0: float32[2] = aten::neg.out(%x)
  %1: bool[2] = aten::eq.Scalar_out(%0, 0) in_place(0)
  %2: float32[1, 2] = aten::unsqueeze_copy.out(%x, 0)
  %3: float32[2, 2] = aten::repeat.out(%2, [2, 1]) in_place(0)
  return %1, %3
)",
                    kStrict),
              ElementsAre("in-place-pass-through %1 over %0", "in-place-pass-through %3 over %2"));
  EXPECT_THAT(Found(kOfX,
                    R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::exp.out(%0) in_place(0)
  return %1
)",
                    kStrict),
              IsEmpty());
}

TEST(InPlaceTest, SizesThatDependOnDimsAreEqualAsExpressions) {
  EXPECT_THAT(Found("method f(%x: float32[n, 2]) dims(n in 1..8)",
                    R"(  %0: float32[n, 2] = aten::neg.out(%x)
  %1: float32[n, 2] = aten::exp.out(%0) in_place(0)
  return %1
)",
                    kStrict),
              IsEmpty());
}

// --- Explanations.

TEST(InPlaceTest, TheExplanationNamesWhoWouldSeeTheNewValue) {
  const Module module = InPlaceModule(std::string(kOfX) + R"( {
  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::exp.out(%0)
  %2: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  return %1, %2
}
)");
  const auto findings = CheckInPlace(module, kAny);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(
      findings[0].explanation,
      "%2 = aten::add.out is computed in the bytes of %0.\n"
      "%1 = aten::exp.out reads %0 too. It is listed before, but no data flow orders it before.\n"
      "%1 would see %2.");
}

}  // namespace
}  // namespace pteproof::graph
