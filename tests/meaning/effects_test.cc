#include "meaning/effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/op_schema.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int32_t> ReadBy(const Effects& effects, size_t i) {
  std::vector<int32_t> values;
  for (const Read& r : effects.ReadsOf(i)) values.push_back(r.value);
  return values;
}

std::vector<int32_t> WrittenBy(const Effects& effects, size_t i) {
  std::vector<int32_t> values;
  for (const Write& w : effects.WritesOf(i)) values.push_back(w.value);
  return values;
}

class EffectsTest : public ::testing::Test {
 protected:
  int32_t Local() { return b_.Planned(1, 64 * next_++, {4}); }
  Effects Of(const ManifestMethod* stated = nullptr) {
    method_ = b_.Build();
    return EffectsOf(method_, stated);
  }

  MethodBuilder b_;
  uint64_t next_ = 0;
  Method method_;
};

using EffectsOfKnown = EffectsTest;
using EffectsOfUnknown = EffectsTest;
using EffectsOfDelegates = EffectsTest;
using EffectsOfControl = EffectsTest;

TEST_F(EffectsOfKnown, ReadOperandsElementByElementAndWriteTheOut) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t z = Local();
  b_.Add(x, y, z);
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, y));
  EXPECT_TRUE(effects.ReadsOf(0)[0].elementwise);
  EXPECT_TRUE(effects.ReadsOf(0)[1].elementwise);
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(z));
  EXPECT_TRUE(effects.WritesOf(0)[0].is_out);
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
  EXPECT_THAT(effects.renames, IsEmpty());
}

TEST_F(EffectsOfKnown, DoNotCallAFlipElementByElement) {
  const int32_t x = Local();
  b_.Flip(x, Local());
  EXPECT_FALSE(Of().ReadsOf(0)[0].elementwise);
}

TEST_F(EffectsOfKnown, OverwriteTheTargetOfACopyWithoutReadingIt) {
  const int32_t to = Local();
  const int32_t from = Local();
  b_.Copy(to, from);
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(from));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(to));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
  EXPECT_FALSE(effects.WritesOf(0)[0].is_out);
}

TEST_F(EffectsOfKnown, ReadWhatAnIndexedStoreUpdates) {
  const int32_t self = Local();
  const int32_t index = Local();
  const int32_t values = Local();
  b_.IndexPut(self, index, values);
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(self, index, values));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(self));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kUpdate);
}

TEST_F(EffectsOfKnown, SkipTheHolesOfAListOfOptionalTensors) {
  const int32_t self = Local();
  const int32_t values = Local();
  const int32_t index = Local();
  const int32_t list = b_.OptionalTensorList({-1, index});
  b_.Call("aten::index_put_", {self, list, values, b_.Bool(false), self});
  EXPECT_THAT(ReadBy(Of(), 0), ElementsAre(self, index, values));
}

TEST_F(EffectsOfKnown, NameTheReturnedValueAfterTheWriteWhenItIsAnother) {
  const int32_t self = Local();
  const int32_t from = Local();
  const int32_t slot = Local();
  b_.Call("aten::copy_", {self, from, b_.Bool(false), slot});
  const Effects effects = Of();
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(self));
  ASSERT_EQ(effects.renames.size(), 1U);
  EXPECT_EQ(effects.renames[0].to, slot);
  EXPECT_EQ(effects.renames[0].from, self);
  EXPECT_TRUE(effects.renames[0].after_write);
}

// ExecuTorch drops what a kernel with an `out` returns.
TEST_F(EffectsOfKnown, LeaveTheSlotOfAnOutVariantAsItIs) {
  const int32_t x = Local();
  const int32_t out = Local();
  const int32_t slot = Local();
  b_.Call("aten::mul.out", {x, x, out, slot});
  const Effects effects = Of();
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(out));
  EXPECT_THAT(effects.renames, IsEmpty());
}

TEST_F(EffectsOfKnown, FillTheTargetOfAStackedCopy) {
  const int32_t all = Local();
  const int32_t one = Local();
  b_.Call("executorch_prim::et_copy_index.tensor", {all, one, b_.Int(0)});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(one));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(all));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kFill);
}

TEST_F(EffectsOfKnown, TakeAnEtViewForANameNotForAReadOrWrite) {
  const int32_t from = Local();
  const int32_t to = Local();
  b_.Call("executorch_prim::et_view.default", {from, b_.Int(4), to});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
  EXPECT_THAT(WrittenBy(effects, 0), IsEmpty());
  ASSERT_EQ(effects.renames.size(), 1U);
  EXPECT_EQ(effects.renames[0].to, to);
  EXPECT_EQ(effects.renames[0].from, from);
  EXPECT_FALSE(effects.renames[0].after_write);
}

TEST_F(EffectsOfKnown, ReadNothingForASize) {
  const int32_t x = Local();
  const int32_t size = b_.Int(0);
  b_.Call("aten::sym_size.int", {x, b_.Int(0), size});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
  EXPECT_TRUE(effects.scalar_written[static_cast<size_t>(size)]);
}

TEST_F(EffectsOfUnknown, MakeTheArgumentThatIsTheReturnSlot) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t out = Local();
  b_.Call("my::op.out", {x, y, b_.Int(3), out, out});
  const Effects effects = Of();
  EXPECT_TRUE(effects.has_unknown_operator);
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, y));
  EXPECT_FALSE(effects.ReadsOf(0)[0].elementwise);
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(out));
}

TEST_F(EffectsOfUnknown, UpdateAnArgumentThatStandsAmongTheResultsToo) {
  const int32_t x = Local();
  b_.Call("my::op_", {x, b_.Int(3), x});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(x));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kUpdate);
}

TEST_F(EffectsOfUnknown, UpdateAnArgumentThatStandsInAListOfResultsToo) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t out = Local();
  b_.Call("my::op_", {y, x, b_.Int(3), b_.TensorList({x, out})});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(y, x));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(x, out));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kUpdate);
  EXPECT_EQ(effects.WritesOf(0)[1].access, Access::kWrite);
}

TEST_F(EffectsOfUnknown, ReadAllButTheReturnSlotWhenThereAreTensorsOnly) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t out = Local();
  b_.Call("my::op", {x, y, out});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, y));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(out));
}

TEST_F(EffectsOfUnknown, AreNotFoundWhereTheTableKnowsAll) {
  const int32_t x = Local();
  b_.Flip(x, Local());
  EXPECT_FALSE(Of().has_unknown_operator);
}

TEST_F(EffectsOfDelegates, WriteTheTrailingArgumentsThatNothingDefined) {
  const int32_t input = Local();
  const int32_t made = Local();
  const int32_t fresh = Local();
  b_.Input(input);
  b_.Mul(input, input, made);
  b_.Delegate({input, made, fresh});
  const Effects effects = Of();
  EXPECT_TRUE(effects.has_guessed_delegate);
  EXPECT_THAT(ReadBy(effects, 1), ElementsAre(input, made));
  EXPECT_THAT(WrittenBy(effects, 1), ElementsAre(fresh));
}

TEST_F(EffectsOfDelegates, ReadWhatAMoveDefined) {
  const int32_t input = Local();
  const int32_t moved = Local();
  b_.Input(input);
  b_.Move(input, moved);
  b_.Delegate({input, moved});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 1), ElementsAre(input, moved));
  EXPECT_THAT(WrittenBy(effects, 1), IsEmpty());
}

TEST_F(EffectsOfDelegates, DoNotWriteConstantsOrNamedBuffers) {
  const int32_t constant = b_.Constant(1, {4});
  const int32_t buffer = b_.Planned(1, 0, {4}, "cache");
  b_.Delegate({constant, buffer});
  EXPECT_THAT(WrittenBy(Of(), 0), IsEmpty());
}

TEST_F(EffectsOfDelegates, WriteAsManyAsTheManifestSays) {
  const int32_t x = Local();
  const int32_t y = Local();
  b_.Delegate({x, y});
  b_.Delegate({x, y});
  ManifestMethod stated;
  stated.delegates = {{.index = 0, .outputs = 1}, {.index = 1, .outputs = 0}};
  const Effects effects = Of(&stated);
  EXPECT_FALSE(effects.has_guessed_delegate);
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(y));
  EXPECT_THAT(ReadBy(effects, 1), ElementsAre(x, y));
}

TEST_F(EffectsOfDelegates, SurviveMoreStatedOutputsThanArguments) {
  const int32_t x = Local();
  b_.Delegate({x});
  ManifestMethod stated;
  stated.delegates = {{.index = 0, .outputs = 7}};
  EXPECT_THAT(WrittenBy(Of(&stated), 0), ElementsAre(x));
}

TEST_F(EffectsOfControl, TakeATensorMoveForANameAndAScalarMoveForAWrite) {
  const int32_t from = Local();
  const int32_t to = Local();
  const int32_t flag = b_.Bool(false);
  b_.Move(from, to);
  b_.Move(b_.Bool(true), flag);
  const Effects effects = Of();
  ASSERT_EQ(effects.renames.size(), 1U);
  EXPECT_EQ(effects.renames[0].to, to);
  EXPECT_EQ(effects.renames[0].from, from);
  EXPECT_TRUE(effects.scalar_written[static_cast<size_t>(flag)]);
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
}

TEST_F(EffectsOfControl, ReadATensorThatAJumpDependsOn) {
  const int32_t flag = b_.Planned(1, 0, {1}, {}, ScalarType::kBool);
  b_.JumpFalse(flag, 1);
  EXPECT_THAT(ReadBy(Of(), 0), ElementsAre(flag));
}

TEST_F(EffectsOfControl, AreEmptyWithoutInstructions) {
  const Effects effects = Of();
  EXPECT_EQ(effects.first.size(), 1);
  EXPECT_TRUE(effects.reads.empty());
  EXPECT_TRUE(effects.writes.empty());
}

TEST_F(EffectsOfUnknown, WriteAScalarThatIsTheirReturnSlot) {
  const int32_t x = Local();
  const int32_t number = b_.Int(1);
  const int32_t slot = b_.Int(0);
  b_.Call("my::measure", {x, number, slot});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  EXPECT_THAT(WrittenBy(effects, 0), IsEmpty());
  EXPECT_FALSE(effects.IsScalarWritten(number));
  EXPECT_TRUE(effects.IsScalarWritten(slot));
}

TEST_F(EffectsOfUnknown, AreNoneWithoutArguments) {
  b_.Call("my::barrier", {});
  const Effects effects = Of();
  EXPECT_TRUE(effects.has_unknown_operator);
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
  EXPECT_THAT(WrittenBy(effects, 0), IsEmpty());
}

TEST_F(EffectsOfDelegates, AreGuessedForACallThatTheManifestDoesNotName) {
  const int32_t x = Local();
  const int32_t y = Local();
  b_.Input(x);
  b_.Delegate({x, y});
  ManifestMethod stated;
  stated.delegates.push_back({.index = 7, .outputs = 2});
  const Effects effects = Of(&stated);
  EXPECT_TRUE(effects.has_guessed_delegate);
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(y));
}

// Numbers and data that come from elsewhere are no results.
TEST_F(EffectsOfDelegates, NeverWriteNumbersOrExternalData) {
  const int32_t weight = b_.Unplanned({4});
  b_.TensorAt(weight).external = true;
  const int32_t y = Local();
  b_.Delegate({y, weight});
  b_.Delegate({y, b_.Int(3)});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(y, weight));
  EXPECT_THAT(WrittenBy(effects, 0), IsEmpty());
  EXPECT_THAT(WrittenBy(effects, 1), IsEmpty());
}

TEST_F(EffectsOfControl, OfAFreeAreNone) {
  const int32_t x = b_.Unplanned({4});
  b_.method().instructions.push_back({InstructionKind::kFree, x, 0, {}});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
  EXPECT_THAT(WrittenBy(effects, 0), IsEmpty());
  EXPECT_THAT(effects.renames, IsEmpty());
}

TEST_F(EffectsOfDelegates, ReadWhatAnInstructionOrTheCallerDefined) {
  const int32_t x = Local();
  const int32_t y = Local();
  b_.Input(x);
  b_.Mul(x, x, y);
  b_.Delegate({y, x});
  b_.Delegate({x, y});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 1), ElementsAre(y, x));
  EXPECT_THAT(ReadBy(effects, 2), ElementsAre(x, y));
  EXPECT_THAT(WrittenBy(effects, 1), IsEmpty());
  EXPECT_THAT(WrittenBy(effects, 2), IsEmpty());
}

TEST_F(EffectsOfDelegates, ReadViewsAndReturnedNames) {
  const int32_t x = Local();
  const int32_t view = b_.Unplanned({2, 2});
  const int32_t returned = Local();
  b_.Input(x);
  b_.Call("executorch_prim::et_view.default", {x, b_.Int(2), view});
  b_.Delegate({x, view});
  b_.Call("aten::copy_", {x, x, b_.Bool(false), returned});
  b_.Delegate({x, returned});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 1), ElementsAre(x, view));
  EXPECT_THAT(WrittenBy(effects, 1), IsEmpty());
  EXPECT_THAT(ReadBy(effects, 3), ElementsAre(x, returned));
  EXPECT_THAT(WrittenBy(effects, 3), IsEmpty());
}

TEST_F(EffectsOfDelegates, WriteAResultOnceThoughItIsGivenTwice) {
  const int32_t x = Local();
  const int32_t out = Local();
  b_.Input(x);
  b_.Delegate({x, out, out});
  EXPECT_THAT(WrittenBy(Of(), 0), ElementsAre(out));
}

// A list without tensors, put in the place of one or the other way round, changes what is reached.
TEST_F(EffectsOfControl, NoteAMoveOfAListWhereEitherHoldsTensors) {
  for (const bool from : {true, false}) {
    for (const bool to : {true, false}) {
      MethodBuilder b;
      const int32_t x = b.Planned(1, 0, {4});
      const int32_t filled = b.TensorList({x});
      const int32_t empty = b.TensorList({});
      b.Mul(x, x, x);
      b.Move(from ? filled : empty, to ? filled : empty);
      const Method method = b.Build();
      EXPECT_EQ(EffectsOf(method, nullptr).moved_list, from || to ? 1 : -1);
    }
  }
}

TEST_F(EffectsOfControl, DoNotReadAConditionElementByElement) {
  b_.JumpFalse(Local(), 1);
  EXPECT_FALSE(Of().ReadsOf(0)[0].elementwise);
}

TEST_F(EffectsOfUnknown, UpdateWhatHeldAValueAndReadTheRestAsAWhole) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t z = Local();
  for (const int32_t v : {x, y, z}) b_.Input(v);
  b_.Call("my::op", {x, y, b_.Int(1), z, y});
  const Effects effects = Of();
  for (const Read& r : effects.ReadsOf(0)) EXPECT_FALSE(r.elementwise);
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, y, z));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(y));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kUpdate);
  EXPECT_FALSE(effects.WritesOf(0)[0].is_out);
}

TEST_F(EffectsOfUnknown, UpdateWhatStandsAmongTheResultsInAnyOrder) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t z = Local();
  for (const int32_t v : {x, y, z}) b_.Input(v);
  b_.Call("my::op", {x, y, z, b_.Int(1), b_.TensorList({z, y, x})});
  const Effects effects = Of();
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(x, y, z));
  for (const Write& w : effects.WritesOf(0)) EXPECT_EQ(w.access, Access::kUpdate);
}

// fuse.out(x, y, out, out): tensors only, so that nothing but the slot tells which is the result.
TEST_F(EffectsOfUnknown, MakeTheResultAmongTensorsOnly) {
  const int32_t x = Local();
  const int32_t y = Local();
  const int32_t out = Local();
  b_.Call("my::fuse.out", {x, y, out, out});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, y));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(out));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
}

// lin.out(x, 3, weight, out, out): a tensor behind a number is an operand.
TEST_F(EffectsOfUnknown, ReadTensorsBehindANumber) {
  const int32_t x = Local();
  const int32_t weight = b_.Constant(1, {4});
  const int32_t out = Local();
  b_.Call("my::lin.out", {x, b_.Int(3), weight, out, out});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x, weight));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(out));
}

TEST_F(EffectsOfUnknown, MakeTwoResultsThatAListReturns) {
  const int32_t x = Local();
  const int32_t first = Local();
  const int32_t second = Local();
  b_.Call("my::two.out", {x, first, second, b_.TensorList({first, second})});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  EXPECT_THAT(WrittenBy(effects, 0), ElementsAre(first, second));
}

// f(cache, x, out, out) where the slot is the cache too: the earlier one is updated.
TEST_F(EffectsOfUnknown, UpdateTheEarlierOfTwoArgumentsThatAreTheSlot) {
  const int32_t cache = Local();
  const int32_t x = Local();
  b_.Input(cache);
  b_.Call("my::op", {cache, x, cache, cache});
  const Effects effects = Of();
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(cache));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kUpdate);
}

// What lies in the result's place is the plan's affair; the call returns another argument.
TEST_F(EffectsOfUnknown, ReadAnEarlierArgumentThatLiesInTheResultsPlace) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t out = b_.Planned(1, 0, {4});
  b_.Input(x);
  b_.Call("my::op.out", {x, b_.Int(1), out, out});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(out));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
}

// A kernel does not see its return slot, so it keeps nothing of the value there.
TEST_F(EffectsOfUnknown, MakeAllOfWhatStandsInTheSlotAlone) {
  const int32_t x = Local();
  const int32_t cache = Local();
  b_.Input(x);
  b_.Input(cache);
  b_.Call("my::op", {x, b_.Int(1), b_.TensorList({cache})});
  const Effects effects = Of();
  EXPECT_THAT(ReadBy(effects, 0), ElementsAre(x));
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(cache));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
  ASSERT_EQ(effects.open.size(), 1U);
  EXPECT_EQ(effects.open[0].value, x);
}

TEST_F(EffectsOfUnknown, LeaveOpenWhetherAResultThatHeldAValueIsMadeAnew) {
  const int32_t x = Local();
  b_.Input(x);
  b_.Call("my::op", {x, b_.Int(1), x});
  const Effects usual = Of();
  ASSERT_EQ(usual.open.size(), 1U);
  EXPECT_TRUE(usual.open[0].is_result);
  const Method method = b_.Build();
  const Reading other = {{DoubtKind::kResultFilled, "my::op", 0, 0}};
  const Effects effects = EffectsOf(method, nullptr, &other);
  ASSERT_THAT(WrittenBy(effects, 0), ElementsAre(x));
  EXPECT_EQ(effects.WritesOf(0)[0].access, Access::kWrite);
  EXPECT_THAT(ReadBy(effects, 0), IsEmpty());
}

TEST_F(EffectsOfUnknown, UpdateAnOperandInTheOtherReading) {
  const int32_t x = Local();
  const int32_t cache = Local();
  const int32_t out = Local();
  b_.Call("my::op.out", {x, cache, out, out});
  const Method method = b_.Build();
  const Reading other = {{DoubtKind::kOperandUpdated, "my::op.out", 0, 1}};
  EXPECT_THAT(WrittenBy(EffectsOf(method, nullptr), 0), ElementsAre(out));
  EXPECT_THAT(WrittenBy(EffectsOf(method, nullptr, &other), 0), ElementsAre(cache, out));
}

}  // namespace
}  // namespace pteproof::meaning
