#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// index_put_ on v3, which lies at [64,96); its returned name is v6.
Method Returned(uint64_t slot_offset, std::vector<int32_t> sizes, ScalarType type) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(row);
  const int32_t a = b.Planned(1, 64, {8});
  b.Add(x, x, a);
  const int32_t list = b.OptionalTensorList({index});
  const int32_t slot = b.Planned(1, slot_offset, std::move(sizes), {}, type);
  b.Call("aten::index_put_", {a, list, row, b.Bool(false), slot});
  b.Output(slot);
  return b.Build();
}

TEST(InPlacePassThrough, TellsOfAResultThatIsNotTheUpdatedOperand) {
  const Report report = Check(ProgramOf({Returned(96, {8}, ScalarType::kFloat32)}));
  EXPECT_THAT(LinesOf(report, rule::kInPlacePassThrough),
              ElementsAre("error in-place-pass-through forward#1 v6 v3 bank 1 [96,128)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kInPlacePassThrough), HasSubstr("aten::index_put_"));
  EXPECT_THAT(ExplanationOf(report, rule::kInPlacePassThrough), HasSubstr("returns v6"));
  EXPECT_THAT(ExplanationOf(report, rule::kInPlacePassThrough),
              HasSubstr("The operand that it writes is v3"));
}

// A loop would bring it back there.
TEST(InPlacePassThrough, TellsOfAResultThatOnlyTheFirstInstructionReads) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t row = b.Planned(1, 0, {1});
  const int32_t slot = b.Planned(1, 64, {8});
  b.Input(row);
  b.Input(slot);
  const int32_t a = b.Planned(1, 96, {8});
  b.Add(slot, slot, a);  // 0
  const int32_t list = b.OptionalTensorList({index});
  b.Call("aten::index_put_", {a, list, row, b.Bool(false), slot});  // 1
  b.Output(a);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kInPlacePassThrough),
              ElementsAre("error in-place-pass-through forward#1 v2 v3 bank 1 [64,96)"));
}

// Each is memory of its own, which the caller brings.
TEST(InPlacePassThrough, TellsOfAnotherValueThatTheCallerBrings) {
  for (const bool other : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {8});
    b.Input(x);
    const int32_t written = b.Unplanned({8});
    const int32_t returned = other ? b.Unplanned({8}) : written;
    b.Call("aten::abs.out", {x, written, returned});
    b.Output(returned);
    const Program program = ProgramOf({b.Build()});
    EXPECT_EQ(VerdictRow(Check(program)), other ? "unsafe unsafe unsafe" : "safe safe safe");
    EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], other ? Verdict::kUnsafe : Verdict::kSafe);
  }
}

TEST(InPlacePassThrough, TellsOfAResultOfAnotherType) {
  EXPECT_THAT(
      LinesOf(Check(ProgramOf({Returned(64, {8}, ScalarType::kInt32)})), rule::kInPlacePassThrough),
      ElementsAre("error in-place-pass-through forward#1 v6 v3 bank 1 [64,96)"));
}

TEST(InPlacePassThrough, TellsOfAResultOfAnotherShape) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Returned(64, {4}, ScalarType::kFloat32)})),
                      rule::kInPlacePassThrough),
              ElementsAre("error in-place-pass-through forward#1 v6 v3 bank 1 [64,80)"));
}

// Older files name the result of an in-place operator anew, at the same place.
TEST(InPlacePassThrough, IsSilentForAnotherValueAtTheOperandsPlace) {
  const Program program = ProgramOf({Returned(64, {8}, ScalarType::kFloat32)});
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
}

TEST(InPlacePassThrough, IsSilentWhereTheResultIsTheOperandItself) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(row);
  const int32_t a = b.Planned(1, 64, {8});
  b.Add(x, x, a);
  b.IndexPut(a, index, row);
  b.Output(a);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

}  // namespace
}  // namespace pteproof
