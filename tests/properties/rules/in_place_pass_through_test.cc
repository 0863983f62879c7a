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

// Kernels put the operand into the return slot, so that its readers see the operand's bytes: so do
// exporters before 1.3.1 plan it.
TEST(InPlacePassThrough, IsSilentForAResultWithAPlaceOfItsOwn) {
  const Program program = ProgramOf({Returned(96, {8}, ScalarType::kFloat32)});
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
}

// A call that stores to one value and returns a buffer at another place stores nothing there.
Program ReturnsABuffer(bool by_its_own_name, uint64_t offset) {
  MethodBuilder b;
  const int32_t buffer = b.Planned(1, 96, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, offset, {8}, by_its_own_name ? "cache" : "");
  const int32_t y = b.Planned(1, 160, {8});
  b.Add(buffer, x, y);
  b.Call("aten::neg.out", {y, out, buffer});
  b.Output(y);
  return ProgramOf({b.Build()});
}

TEST(InPlacePassThrough, TellsOfABufferInTheSlotOfAStoreToSomethingElse) {
  const Program program = ReturnsABuffer(false, 64);
  EXPECT_THAT(LinesOf(Check(program), rule::kInPlacePassThrough),
              ElementsAre("error in-place-pass-through forward#1 v0 v2 bank 1 [96,128)"));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kUnsafe);
}

TEST(InPlacePassThrough, IsSilentForABufferInTheSlotOfAStoreToIt) {
  const Program program = ReturnsABuffer(true, 96);
  EXPECT_THAT(LinesOf(Check(program), rule::kInPlacePassThrough), IsEmpty());
}

// An elided view at the slot's own place reads bytes that nobody wrote.
Program ViewOfTheSlot(bool of_the_slot) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(row);
  const int32_t a = b.Planned(1, 64, {8});
  b.Add(x, x, a);
  const int32_t list = b.OptionalTensorList({index});
  const int32_t slot = b.Planned(1, 96, {8});
  b.Call("aten::index_put_", {a, list, row, b.Bool(false), slot});
  const int32_t view = b.Planned(1, of_the_slot ? 96 : 64, {2, 4});
  const int32_t out = b.Planned(1, 128, {2, 4});
  b.Add(view, view, out);
  b.Output(out);
  Program program = ProgramOf({b.Build()});
  program.constants.resize(2);
  return program;
}

TEST(InPlacePassThrough, LeavesAViewOfTheSlotsOwnPlaceUnwritten) {
  const Program wrong = ViewOfTheSlot(true);
  EXPECT_EQ(VerdictRow(Check(wrong)), "unsafe unsafe unsafe");
  EXPECT_THAT(LinesOf(Check(wrong), rule::kReadBeforeWrite),
              ElementsAre("error read-before-write forward#2 v8 bank 1 [96,128)"));
  EXPECT_EQ(proofs::Prove(wrong, {}).verdicts[0], Verdict::kUnsafe);
  const Program right = ViewOfTheSlot(false);
  EXPECT_EQ(VerdictRow(Check(right)), "safe safe safe");
  EXPECT_EQ(proofs::Prove(right, {}).verdicts[0], Verdict::kSafe);
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
