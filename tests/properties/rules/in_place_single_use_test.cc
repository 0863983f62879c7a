#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// p takes a's bytes; minimum(a, x) comes before or after.
Method TwoUsers(bool other_user_first) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t a = b.Planned(1, 32, {8});
  b.Add(x, x, a);
  const int32_t p = b.Planned(1, 32, {8});
  const int32_t q = b.Planned(1, 64, {8});
  if (other_user_first) b.Call("aten::minimum.out", {a, x, q, q});
  b.Call("aten::maximum.out", {a, x, p, p});
  if (!other_user_first) b.Call("aten::minimum.out", {a, x, q, q});
  b.Output(p);
  b.Output(q);
  return b.Build();
}

// max(a, x) -> p over a, then min(a, x).
TEST(InPlaceSingleUse, TellsOfAReaderAfterTheOverwrite) {
  const Report report = Check(ProgramOf({TwoUsers(false)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error in-place-single-use forward#1 v1 v3 bank 1 [32,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kInPlaceSingleUse);
  EXPECT_THAT(explanation, HasSubstr("aten::maximum.out"));
  EXPECT_THAT(explanation, HasSubstr("aten::minimum.out"));
}

// Eight bytes of the result are two elements, of the operand one.
TEST(InPlaceSingleUse, IsNotElementByElementWhereElementsHaveUnlikeWidths) {
  for (const bool alike : {false, true}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4}, {}, ScalarType::kInt64);
    b.Input(x);
    const int32_t a = b.Planned(1, 32, {4}, {}, ScalarType::kInt64);
    b.Mul(x, x, a);
    const int32_t p = alike ? b.Planned(1, 32, {4}, {}, ScalarType::kInt64)
                            : b.Planned(1, 32, {8}, {}, ScalarType::kInt32);
    b.Mul(a, x, p);
    b.Output(p);
    EXPECT_EQ(VerdictRow(Check(ProgramOf({b.Build()}))),
              alike ? "safe safe safe" : "unsafe unsafe unsafe");
  }
}

TEST(InPlaceSingleUse, IsSilentWhereTheOverwriteComesLast) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({TwoUsers(true)}))), IsEmpty());
}

// Two results over one operand.
TEST(InPlaceSingleUse, TellsOfEachResultThatTakesTheSameOperand) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t a = b.Planned(1, 32, {8});
  b.Add(x, x, a);
  const int32_t p = b.Planned(1, 32, {8});
  b.Call("aten::maximum.out", {a, x, p, p});
  const int32_t q = b.Planned(1, 32, {8});
  b.Call("aten::minimum.out", {a, x, q, q});
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(p, q, sum);
  b.Output(sum);
  const auto trouble = TroubleOf(Check(ProgramOf({b.Build()})));
  EXPECT_THAT(trouble,
              testing::Contains("error in-place-single-use forward#1 v1 v3 bank 1 [32,64)"));
  EXPECT_THAT(trouble, testing::Contains(HasSubstr("forward#2 v3 v4 bank 1 [32,64)")));
}

// The output is a reader too.
TEST(InPlaceSingleUse, TellsOfAnOverwrittenOperandThatIsReturned) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t a = b.Planned(1, 32, {8});
  b.Add(x, x, a);
  const int32_t p = b.Planned(1, 32, {8});
  b.Call("aten::maximum.out", {a, x, p, p});
  b.Output(a);
  b.Output(p);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(TroubleOf(report), ElementsAre(HasSubstr("forward#1 v1 v3 bank 1 [32,64)")));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

// `state` gets the old value, from bytes that the result took.
TEST(InPlaceSingleUse, TellsOfAnOverwrittenOperandThatIsStored) {
  MethodBuilder b("step");
  const int32_t state = b.Planned(2, 0, {8}, "state");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t a = b.Planned(1, 32, {8});
  b.Add(state, x, a);
  const int32_t p = b.Planned(1, 32, {8});
  b.Call("aten::maximum.out", {a, x, p, p});
  b.Copy(state, a);
  b.Output(p);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(TroubleOf(report), testing::Contains(HasSubstr("step#1 v2 v4 bank 1 [32,64)")));
}

}  // namespace
}  // namespace pteproof
