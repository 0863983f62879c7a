#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// v4 is a view of v2 that the exporter elided: no instruction makes it.
Method ViewReadLate(uint64_t next_offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(1, 32, {8});
  b.Input(a);
  b.Input(x);
  const int32_t c = b.Planned(1, 64, {8});
  b.Add(a, x, c);
  const int32_t view = b.Planned(1, 64, {2, 4});
  const int32_t d = b.Planned(1, next_offset, {8});
  b.Mul(a, x, d);
  const int32_t e = b.Planned(1, 128, {2, 4});
  b.Mul(view, view, e);
  b.Output(d);
  b.Output(e);
  return b.Build();
}

TEST(AliasLifetime, TellsOfBytesReusedWhileAViewIsStillRead) {
  const Report report = Check(ProgramOf({ViewReadLate(64)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error alias-lifetime forward#1 v4 v5 bank 1 [64,96)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kAliasLifetime);
  EXPECT_THAT(explanation, HasSubstr("v2"));  // whose view it is
  EXPECT_THAT(explanation, HasSubstr("Instruction 2"));
}

// Two names with one offset and one size, different shapes.
TEST(AliasLifetime, IsSilentForAViewWhoseStorageIsKept) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({ViewReadLate(96)}))), IsEmpty());
}

// An update of v3 in place; v5 is a view of it, read before the update or after.
Method UpdateUnderView(bool view_read_first) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(a);
  b.Input(row);
  const int32_t c = b.Planned(1, 64, {8});
  b.Add(a, a, c);
  const int32_t view = b.Planned(1, 64, {2, 4});
  if (!view_read_first) b.IndexPut(c, index, row);
  const int32_t e = b.Planned(1, 96, {2, 4});
  b.Mul(view, view, e);
  if (view_read_first) b.IndexPut(c, index, row);
  b.Output(c);
  b.Output(e);
  return b.Build();
}

// v = view(a); p = put(a, ...); use(v).
TEST(AliasLifetime, TellsOfAnUpdateInPlaceUnderAView) {
  const Report report = Check(ProgramOf({UpdateUnderView(false)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error alias-lifetime forward#1 v5 v3 bank 1 [64,96)"));
}

TEST(AliasLifetime, IsSilentWhereTheViewIsReadBeforeTheUpdate) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({UpdateUnderView(true)}))), IsEmpty());
}

Method UpdatedThenRead(uint64_t next_offset) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(row);
  const int32_t a = b.Planned(1, 64, {8});
  b.Add(x, x, a);
  b.IndexPut(a, index, row);
  const int32_t u = b.Planned(1, next_offset, {8});
  b.Mul(x, x, u);
  const int32_t w = b.Planned(1, 128, {8});
  b.Mul(a, u, w);
  b.Output(w);
  return b.Build();
}

// Uses of an in-place result do not count for the slot that it lies in.
TEST(AliasLifetime, TellsOfAnInPlaceResultWhoseSlotIsReused) {
  const Report report = Check(ProgramOf({UpdatedThenRead(64)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error alias-lifetime forward#2 v3 v7 bank 1 [64,96)"));
}

TEST(AliasLifetime, IsSilentWhereTheInPlaceResultKeepsItsSlot) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({UpdatedThenRead(96)}))), IsEmpty());
}

// The result of an et_view lies where its source lies.
Method HandleReadLate(uint64_t next_offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t sizes = b.TensorList({});
  b.method().values[static_cast<size_t>(sizes)].kind = ValueKind::kIntList;
  const int32_t handle = b.Planned(1, 32, {2, 4});
  b.Call("executorch_prim::et_view.default", {c, sizes, handle});
  const int32_t d = b.Planned(1, next_offset, {8});
  b.Mul(a, a, d);
  const int32_t e = b.Planned(1, 96, {2, 4});
  b.Mul(handle, handle, e);
  b.Output(d);
  b.Output(e);
  return b.Build();
}

TEST(AliasLifetime, CallsAPlanWithBytesReusedUnderAnEtViewUnsafe) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({HandleReadLate(32)}))),
              ElementsAre(HasSubstr("forward#2 v4 v5")));
}

TEST(AliasLifetime, IsSilentWhereTheEtViewsSourceIsKept) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({HandleReadLate(64)}))), IsEmpty());
}

// After a move both names stand for one storage: an update through one changes the other.
Method UpdateOfMoved(bool source_read_later) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(row);
  const int32_t source = b.Planned(1, 64, {8});
  b.Add(x, x, source);
  const int32_t handle = b.Planned(1, 64, {8});
  b.Move(source, handle);
  b.IndexPut(handle, index, row);
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(handle, source_read_later ? source : x, out);
  b.Output(out);
  return b.Build();
}

TEST(AliasLifetime, CallsAPlanUnsafeThatUpdatesAMovedValueUnderItsSource) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({UpdateOfMoved(true)}))),
              ElementsAre(HasSubstr("forward#2 v3 v5 bank 1 [64,96)")));
}

TEST(AliasLifetime, IsSilentForAnUpdateOfAMovedValueThatIsReadByItsNewNameOnly) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({UpdateOfMoved(false)}))), IsEmpty());
}

// A value without a maker whose bytes are tiled by values made before: an elided concatenation. A
// store to its first part may come between its making and its reader.
Method Concat(uint64_t next_offset, bool updates_a_part = false) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {4});
  b.Input(a);
  const int32_t low = b.Planned(1, 16, {4});
  b.Add(a, a, low);
  const int32_t high = b.Planned(1, 32, {4});
  b.Add(a, a, high);
  const int32_t whole = b.Planned(1, 16, {8});
  const int32_t next = b.Planned(1, next_offset, {4});
  b.Add(a, a, next);
  if (updates_a_part) b.Copy(low, next);
  const int32_t e = b.Planned(1, 64, {8});
  b.Mul(whole, whole, e);
  b.Output(next);
  b.Output(e);
  return b.Build();
}

TEST(AliasLifetime, IsSilentForAnElidedConcatenation) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({Concat(48)}))), IsEmpty());
}

TEST(AliasLifetime, TellsOfAPartThatIsUpdatedAfterTheConcatenation) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({Concat(48, true)}))),
              ElementsAre(HasSubstr("forward#3 v5 v1 bank 1 [16,32)")));
}

TEST(AliasLifetime, IsSilentForAViewWhoseBytesTheOtherBranchAloneWrites) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({ViewInABranch(true).method}))), IsEmpty());
}

TEST(AliasLifetime, TellsOfAViewWhoseBytesItsOwnBranchWrites) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({ViewInABranch(false).method}))),
              ElementsAre(HasSubstr("forward#4 v2 v4 bank 1 [16,32)")));
}

TEST(AliasLifetime, IsSilentForANameWhoseBytesTheOtherBranchWroteInTheRoundBefore) {
  for (const Elided kind : {Elided::kView, Elided::kSlice, Elided::kConcatenation}) {
    EXPECT_THAT(LinesOf(Check(ProgramOf({NameInABranchOfALoop(kind, true).method}))), IsEmpty());
  }
}

TEST(AliasLifetime, TellsOfANameInALoopWhoseBytesItsOwnBranchWrites) {
  for (const Elided kind : {Elided::kView, Elided::kSlice, Elided::kConcatenation}) {
    EXPECT_THAT(TroubleOf(Check(ProgramOf({NameInABranchOfALoop(kind, false).method}))),
                Not(IsEmpty()));
  }
}

// A view of an output is as good a reader as any.
TEST(AliasLifetime, TellsOfAnOutputThatIsAnOverwrittenView) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(1, 32, {8});
  b.Input(a);
  b.Input(x);
  const int32_t c = b.Planned(1, 64, {8});
  b.Add(a, x, c);
  const int32_t view = b.Planned(1, 64, {2, 4});
  const int32_t d = b.Planned(1, 64, {8});
  b.Add(a, a, d);
  b.Output(view);
  const int32_t e = b.Planned(1, 96, {8});
  b.Mul(d, d, e);
  b.Output(e);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre("error alias-lifetime forward#1 v4 v5 bank 1 [64,96)"));
}

// Literals tell that the part is a slice of the view, which was read before its bytes were
// overwritten. The values are not in the exporter's order.
TEST(AliasLifetime, TellsOfASliceOfAViewThatWasReadBefore) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {3, 4});
  b.Input(x);
  const int32_t sum = b.Planned(1, 48, {3, 4});
  const int32_t view = b.Planned(1, 48, {12});
  const int32_t y = b.Planned(1, 96, {12});
  const int32_t part = b.Planned(1, 88, {2});
  for (const int32_t literal : {0, 10, 12, 1}) b.Int(literal);
  const int32_t z = b.Planned(1, 144, {2});
  const int32_t late = b.Planned(1, 48, {3, 4});
  b.Add(x, x, sum);
  b.Add(view, view, y);
  b.Add(x, x, late);
  b.Add(part, part, z);
  b.Output(y);
  b.Output(z);
  b.Output(late);
  EXPECT_EQ(AgreedRow(ProgramOf({b.Build()})), "unsafe unsafe unsafe");
}

}  // namespace
}  // namespace pteproof
