// C0 of the in-place conditions: whose bytes the operand has, and who else names them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/graph/in_place_found.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// --- C0: whose bytes they are.

// At exit the input is to hold another value than the one that is made in it.
TEST(InPlaceAlias, OfAnInputIsRightOnlyIfThatValueIsStoredToIt) {
  const char* header = "method f(%x: float32[2] in_place)";
  const std::string body =
      "  %0: float32[2] = aten::relu.out(%x) in_place(0)\n"
      "  %1: float32[2] = aten::neg.out(%0)\n  return %1\n";
  EXPECT_THAT(Found(header, body + "  store %x = %1", kAny),
              ElementsAre("in-place-alias %0 over %x"));
  EXPECT_THAT(Found(header, body + "  store %x = %0", kAny), IsEmpty());
}

TEST(InPlaceAliasTest, AnInputMustBeGivenToBeOverwritten) {
  const char* body = R"(  %0: float32[2] = aten::neg.out(%x) in_place(0)
  return %0
)";
  EXPECT_THAT(Found(kOfX, body, kAny), ElementsAre("in-place-alias %0 over %x"));
  EXPECT_THAT(Found("method f(%x: float32[2] in_place)", body, kAny), IsEmpty());
}

TEST(InPlaceAliasTest, ABufferIsOverwrittenByWhatIsStoredToIt) {
  const std::string body = R"(  %0 = entry @b
  %1: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  return %1
)";
  EXPECT_THAT(Found(kWithBuffer, body + "  store @b = %1\n", kStrict), IsEmpty());
  EXPECT_THAT(Found(kWithBuffer, body, kStrict), ElementsAre("in-place-alias %1 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  store @b = %x\n", kStrict),
              ElementsAre("in-place-alias %1 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  store @c = %1\n", kStrict),
              ElementsAre("in-place-alias %1 over %0"));
}

TEST(InPlaceAliasTest, ABufferMayBeUpdatedInSteps) {
  const std::string body = R"(  %0 = entry @b
  %1: float32[2] = aten::add.out(%0, %x, 1) in_place(0)
  %2: float32[2] = aten::neg.out(%1) in_place(0)
  return
)";
  EXPECT_THAT(Found(kWithBuffer, body + "  store @b = %2\n", kStrict), IsEmpty());
  // What is stored is then overwritten: the next step sees to that.
  EXPECT_THAT(Found(kWithBuffer, body + "  store @b = %1\n", kStrict),
              ElementsAre("in-place-single-use %2 over %1"));
}

TEST(InPlaceAliasTest, AViewHasTheBytesOfADeadBaseAlone) {
  const std::string body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = view aten::alias_copy.out(%0)
  %2: float32[2] = aten::exp.out(%1) in_place(0)
)";
  EXPECT_THAT(Found(kOfX, body + "  return %2\n", kListed), IsEmpty());
  EXPECT_THAT(Found(kOfX, body + "  return %2\n", kAny), IsEmpty());
  EXPECT_THAT(Found(kOfX, body + "  return %0, %2\n", kListed),
              ElementsAre("in-place-alias %2 over %1"));
  EXPECT_THAT(Found(kOfX, body + "  return %0, %2\n", kAny),
              ElementsAre("in-place-alias %2 over %1"));
}

TEST(InPlaceAliasTest, AViewOfADeadBaseIsANoteUnderTheStrictRule) {
  const auto findings = CheckInPlace(InPlaceModule(std::string(kOfX) + R"( {
  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = view aten::alias_copy.out(%0)
  %2: float32[2] = aten::exp.out(%1) in_place(0)
  return %2
}
)"),
                                     kStrict);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(findings[0].is_note);
}

TEST(InPlaceAliasTest, AViewOfAnInputIsTheCallers) {
  const std::string body = R"(  %0: float32[2] = view aten::alias_copy.out(%x)
  %1: float32[2] = aten::exp.out(%0) in_place(0)
  return %1
)";
  EXPECT_THAT(Found(kOfX, body, kListed), ElementsAre("in-place-alias %1 over %0"));
  EXPECT_THAT(Found("method f(%x: float32[2] in_place)", body, kListed), IsEmpty());
}

TEST(InPlaceAliasTest, TheResultOfAMutationIsAnotherName) {
  const char* body = R"(  %0: float32[2] = aten::neg_(%x)
  %1: float32[2] = aten::exp.out(%0) in_place(0)
  return %1
)";
  EXPECT_THAT(Found(kOfX, body, kAny), ElementsAre("in-place-alias %1 over %0"));
}

TEST(InPlaceAliasTest, AParameterIsTheOperandOutside) {
  const char* body = R"(  %0: float32[2] = cond(%p, %x) {
    (%1: float32[2]) {
      %2: float32[2] = aten::neg.out(%1) in_place(0)
      return %2
    }
    (%3: float32[2]) {
      %4: float32[2] = aten::neg.out(%3)
      %5: float32[2] = aten::exp.out(%4) in_place(0)
      return %5
    }
  }
  return %0
)";
  EXPECT_THAT(Found("method f(%p: bool[1], %x: float32[2])", body, kAny),
              ElementsAre("in-place-alias %2 over %1"));
}

std::vector<std::string> FoundBehindCond(const std::string& returned) {
  const std::string body =
      "  %0: float32[2], %1: float32[2] = cond(%p, %x) {\n"
      "    (%2: float32[2]) {\n"
      "      %3: float32[2] = aten::neg.out(%2)\n"
      "      %4: float32[2] = aten::exp.out(%2)\n"
      "      return " +
      returned +
      "\n    }\n"
      "    (%5: float32[2]) {\n"
      "      %6: float32[2] = aten::neg.out(%5)\n"
      "      %7: float32[2] = aten::exp.out(%5)\n"
      "      return %6, %7\n    }\n  }\n"
      "  %8: float32[2] = aten::abs.out(%0) in_place(0)\n"
      "  return %1, %8\n";
  return Found("method f(%p: bool[1], %x: float32[2])", body, kStrict);
}

TEST(InPlaceAliasTest, AResultOfABranchIsOwnIfNoBranchMakesItAnotherName) {
  EXPECT_THAT(FoundBehindCond("%3, %4"), IsEmpty());
  EXPECT_THAT(FoundBehindCond("%2, %4"), ElementsAre("in-place-alias %8 over %0"));
  EXPECT_THAT(FoundBehindCond("%3, %3"), ElementsAre("in-place-alias %8 over %0"));
}

TEST(InPlaceAliasTest, ACarriedResultMayBeTheOperandAndAStackedOneIsNot) {
  const std::string body =
      R"(  %0: float32[2], %1: float32[3, 2] = scan carried 1 mapped 1 (%x, %xs) {
    (%2: float32[2], %3: float32[2]) {
      %4: float32[2] = aten::add.out(%2, %3, 1)
      %5: float32[2] = aten::neg.out(%3)
      return %4, %5
    }
  }
  %6: float32[2] = aten::neg.out(%0) in_place(0)
  %7: float32[3, 2] = aten::neg.out(%1) in_place(0)
  return %6, %7
)";
  EXPECT_THAT(Found("method f(%x: float32[2], %xs: float32[3, 2])", body, kStrict),
              ElementsAre("in-place-alias %6 over %0"));
}

// --- C0: other names.

TEST(InPlaceAliasTest, AViewIsReadBeforeOrNotAtAll) {
  const std::string body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = view aten::alias_copy.out(%0)
  %2: float32[2] = view aten::alias_copy.out(%1)
  %3: float32[2] = aten::exp.out(%2)
  %4: float32[2] = aten::abs.out(%0) in_place(0))";
  const std::string end = "\n  return %3, %4\n";
  EXPECT_THAT(Found(kOfX, body + end, kAny), ElementsAre("in-place-alias %4 over %0, seen by %3"));
  EXPECT_THAT(Found(kOfX, body + " after(%3)" + end, kAny), IsEmpty());
  EXPECT_THAT(Found(kOfX, body + " after(%3)" + end, kStrict),
              ElementsAre("in-place-single-use %4 over %0, seen by %1"));
}

TEST(InPlaceAliasTest, AViewThatIsReturnedOrStoredShowsTheNewValue) {
  const std::string body = R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = view aten::alias_copy.out(%0)
  %2: float32[2] = aten::abs.out(%0) in_place(0)
)";
  EXPECT_THAT(Found(kWithBuffer, body + "  return %1, %2\n", kAny),
              ElementsAre("in-place-alias %2 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  return %2\n  store @b = %1\n", kAny),
              ElementsAre("in-place-alias %2 over %0"));
  EXPECT_THAT(Found(kWithBuffer, body + "  return %2\n", kAny), IsEmpty());
}

TEST(InPlaceAliasTest, ANodeDoesNotReadTheBytesByAnotherOperand) {
  const std::string head = "method f(%x: float32[2, 2], %i: int64[1])";
  EXPECT_THAT(Found(head, R"(  %0: float32[2, 2] = aten::neg.out(%x)
  %1: float32[1, 2] = view aten::slice_copy.Tensor_out(%0, 0, 1, 2, 1)
  %2: float32[2, 2] = aten::index_put.out(%0, [%i], %1, false) in_place(0)
  return %2
)",
                    kAny),
              ElementsAre("in-place-alias %2 over %0, seen by %2"));
  EXPECT_THAT(
      Found("method f(%x: float32[2], %i: int64[2])", R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::index_put.out(%0, [%i], %0, false) in_place(0)
  return %1
)",
            kStrict),
      ElementsAre("in-place-alias %1 over %0, seen by %1"));
}

TEST(InPlaceAliasTest, AValueMayBeAddedToItselfElementByElement) {
  EXPECT_THAT(Found(kOfX, R"(  %0: float32[2] = aten::neg.out(%x)
  %1: float32[2] = aten::add.out(%0, %0, 1) in_place(0)
  return %1
)",
                    kStrict),
              IsEmpty());
}

}  // namespace
}  // namespace pteproof::graph
