#include "properties/oracles/storage_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;

class StorageNames : public ::testing::Test {
 protected:
  int32_t AddInput() {
    const int32_t x = b_.Planned(2, 0, {4});
    b_.Input(x);
    return x;
  }
  // x * x, in bank 1.
  int32_t Made(int32_t x, uint64_t offset, std::vector<int32_t> sizes) {
    const int32_t v = b_.Planned(1, offset, std::move(sizes));
    b_.Mul(x, x, v);
    return v;
  }
  // Reads v; the result lies where nothing else does.
  void Use(int32_t v) { b_.Mul(v, v, b_.Planned(3, 64 * far_++, {4})); }

  StorageName NameOf(int32_t v) const { return StorageNamesOf(b_.Build())[static_cast<size_t>(v)]; }
  NameKind KindOf(int32_t v) const { return NameOf(v).kind; }
  void ExpectView(int32_t v, int32_t base) const {
    EXPECT_EQ(KindOf(v), NameKind::kView);
    EXPECT_EQ(NameOf(v).base, base);
  }

  MethodBuilder b_;
  uint64_t far_ = 0;
};

TEST_F(StorageNames, ThereIsOneForEachValue) {
  const int32_t x = AddInput();
  Use(x);
  EXPECT_EQ(StorageNamesOf(b_.Build()).size(), b_.method().values.size());
}

TEST_F(StorageNames, InputsConstantsAndResultsStandForThemselves) {
  const int32_t constant = b_.Constant(1, {4});
  const int32_t x = AddInput();
  const int32_t made = Made(x, 0, {4});
  const int32_t number = b_.Int(3);
  b_.Mul(constant, made, b_.Unplanned({4}));
  for (const int32_t v : {constant, x, made, number}) EXPECT_EQ(KindOf(v), NameKind::kOwn);
}

TEST_F(StorageNames, AResultOverADeadOneIsNoView) {
  const int32_t x = AddInput();
  Use(Made(x, 0, {4}));
  const int32_t later = Made(x, 0, {4});
  Use(later);
  EXPECT_EQ(KindOf(later), NameKind::kOwn);
}

TEST_F(StorageNames, AnElidedViewIsWhatItsBaseHolds) {
  const int32_t x = AddInput();
  const int32_t base = Made(x, 0, {4});
  const int32_t view = b_.Planned(1, 0, {2, 2});
  Use(view);
  ExpectView(view, base);
}

// The listing is not in the order of the numbers: the base is made last.
TEST_F(StorageNames, AViewOfAViewIsNotMadeBeforeTheirBase) {
  const int32_t x = AddInput();
  const int32_t base = b_.Planned(1, 0, {4});
  const int32_t view = b_.Planned(1, 0, {2, 2});
  const int32_t second = b_.Planned(1, 0, {1, 4});
  Made(x, 64, {4});
  b_.Mul(x, x, base);
  Use(view);
  b_.Output(second);
  ExpectView(view, base);
  ExpectView(second, view);
  EXPECT_EQ(NameOf(view).made_before, 2);
  EXPECT_EQ(NameOf(second).made_before, 2);
}

// Without names as with them: each is a view of the buffer as it is when the view is made.
TEST_F(StorageNames, ASecondViewOfABufferIsNoViewOfTheFirst) {
  for (const std::string_view name : {"", "cache"}) {
    b_ = MethodBuilder();
    const int32_t buffer = b_.Planned(1, 0, {4}, name);
    const int32_t x = AddInput();
    const int32_t older = b_.Planned(1, 0, {2, 2}, name);
    const int32_t sum = b_.Planned(3, 0, {4});
    b_.Add(older, x, sum);
    b_.Copy(buffer, sum);
    const int32_t later = b_.Planned(1, 0, {2, 2}, name);
    b_.Add(older, later, b_.Planned(3, 64, {2, 2}));
    ExpectView(older, buffer);
    ExpectView(later, buffer);
    EXPECT_LT(NameOf(older).made_before, NameOf(later).made_before) << name;
  }
}

TEST_F(StorageNames, AnElidedViewMayBeOfAnInput) {
  const int32_t x = AddInput();
  const int32_t view = b_.Planned(2, 0, {2, 2});
  Use(view);
  ExpectView(view, x);
}

TEST_F(StorageNames, AViewIsOfTheLastValueInItsPlace) {
  const int32_t x = AddInput();
  Use(Made(x, 0, {4}));
  const int32_t second = Made(x, 0, {4});
  const int32_t view = b_.Planned(1, 0, {2, 2});
  Use(view);
  ExpectView(view, second);
}

TEST_F(StorageNames, AViewThatIsOnlyPutOutCounts) {
  const int32_t x = AddInput();
  const int32_t base = Made(x, 0, {4});
  const int32_t view = b_.Planned(1, 0, {2, 2});
  b_.Output(view);
  ExpectView(view, base);
}

TEST_F(StorageNames, AViewIsMadeWhereTheExporterNumberedIt) {
  const int32_t x = AddInput();
  const int32_t base = Made(x, 0, {4});  // instruction 0
  const int32_t view = b_.Planned(1, 0, {2, 2});
  const int32_t after = b_.Planned(3, 1024, {4});
  b_.Mul(x, x, after);   // instruction 1, of a later value
  b_.Copy(base, after);  // instruction 2 stores to the base
  Use(view);
  EXPECT_EQ(NameOf(view).made_before, 1);
}

TEST_F(StorageNames, AViewIsOfNothingThatAnotherBranchMakes) {
  const ElidedView elided = ViewInABranch(true);
  const StorageName name = StorageNamesOf(elided.method)[static_cast<size_t>(elided.view)];
  EXPECT_EQ(name.kind, NameKind::kView);
  EXPECT_EQ(name.base, elided.base);
}

TEST_F(StorageNames, ANameIsOfNothingThatAnotherBranchMadeInTheRoundBefore) {
  const ElidedView view = NameInABranchOfALoop(Elided::kView, true);
  EXPECT_EQ(StorageNamesOf(view.method)[static_cast<size_t>(view.view)].base, view.base);
  for (const Elided kind : {Elided::kSlice, Elided::kConcatenation}) {
    const ElidedView elided = NameInABranchOfALoop(kind, true);
    const StorageName name = StorageNamesOf(elided.method)[static_cast<size_t>(elided.view)];
    ASSERT_FALSE(name.tiles.empty());
    EXPECT_EQ(name.tiles.front(), elided.base);
  }
}

TEST_F(StorageNames, AnElidedConcatHoldsItsParts) {
  const int32_t x = AddInput();
  const int32_t first = Made(x, 0, {2});
  const int32_t second = Made(x, 8, {3});
  const int32_t whole = b_.Planned(1, 0, {5});
  Use(whole);
  EXPECT_EQ(KindOf(whole), NameKind::kConcat);
  EXPECT_THAT(NameOf(whole).tiles, ElementsAre(first, second));
}

TEST_F(StorageNames, PartsWithAGapAreNoConcat) {
  const int32_t x = AddInput();
  Made(x, 0, {2});
  Made(x, 12, {2});
  const int32_t whole = b_.Planned(1, 0, {5});
  Use(whole);
  EXPECT_EQ(KindOf(whole), NameKind::kState);
}

TEST_F(StorageNames, ANamedBufferIsState) {
  const int32_t x = AddInput();
  const int32_t buffer = b_.Planned(1, 0, {4}, "counter");
  b_.Add(buffer, x, b_.Planned(3, 0, {4}));
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, ANamedBufferIsStateThoughItIsWrittenFirst) {
  const int32_t x = AddInput();
  const int32_t buffer = b_.Planned(1, 0, {4}, "counter");
  b_.Mul(x, x, buffer);
  b_.Output(buffer);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, TheSameNameInTheSamePlaceIsTheSameBuffer) {
  AddInput();
  const int32_t buffer = b_.Planned(1, 0, {4}, "counter");
  const int32_t again = b_.Planned(1, 0, {4}, "counter");
  const int32_t other = b_.Planned(1, 0, {4}, "other");
  for (const int32_t v : {buffer, again, other}) Use(v);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
  ExpectView(again, buffer);
  EXPECT_EQ(KindOf(other), NameKind::kState);
}

TEST_F(StorageNames, ASecondNameThatIsReadFirstStandsForWhatTheBufferHeld) {
  const int32_t x = AddInput();
  const int32_t buffer = b_.Planned(2, 64, {4}, "b");
  const int32_t second = b_.Planned(2, 64, {4}, "b");
  b_.Mul(x, x, buffer);
  Use(second);
  b_.Copy(second, x);
  ExpectView(second, buffer);
  EXPECT_TRUE(NameOf(second).same_buffer);
  EXPECT_EQ(NameOf(second).made_before, 1);
}

// Below an input, at its place.
TEST_F(StorageNames, ALowNumberIsABufferIfValuesAscend) {
  const int32_t low = b_.Planned(2, 0, {4});
  const int32_t x = AddInput();
  for (int n = 0; n < 5; ++n) Use(x);
  Use(low);
  EXPECT_EQ(KindOf(low), NameKind::kState);
}

TEST_F(StorageNames, ALowNumberIsAViewOfAnInputIfValuesDoNotAscend) {
  const int32_t late = b_.Planned(1, 0, {4});
  const int32_t low = b_.Planned(2, 0, {4});
  const int32_t x = AddInput();
  for (int n = 0; n < 5; ++n) Use(x);
  b_.Mul(x, x, late);
  Use(low);
  ExpectView(low, x);
}

TEST_F(StorageNames, AViewOfAnInputOutlivesTheInputsName) {
  const int32_t late = b_.Planned(1, 0, {4});
  const int32_t x = AddInput();
  const int32_t view = b_.Planned(2, 0, {2, 2});
  Use(view);
  EXPECT_TRUE(NameOf(view).remade);
  b_.Call("aten::neg.out", {late, late, x});  // x is `late` from here on
  ExpectView(view, x);
  EXPECT_FALSE(NameOf(view).remade);
}

TEST_F(StorageNames, ASecondNameIsThereFromItsFirstUseOn) {
  AddInput();
  const int32_t buffer = b_.Planned(2, 64, {4}, "b");
  const int32_t second = b_.Planned(2, 64, {4}, "b");
  b_.Mul(buffer, second, buffer);
  b_.Mul(buffer, second, second);
  ExpectView(second, buffer);
  EXPECT_EQ(NameOf(second).made_before, 0);
}

TEST_F(StorageNames, WhatStandsInTheSlotOfSeveralResultsIsNotMade) {
  const int32_t x = AddInput();
  const int32_t values = b_.Planned(1, 0, {4});
  const int32_t indices = b_.Planned(1, 64, {4}, {}, ScalarType::kInt64);
  const int32_t stranger = b_.Planned(1, 128, {4});
  const int32_t count = b_.Int(4);
  const int32_t dim = b_.Int(0);
  const int32_t flag = b_.Bool(true);
  const int32_t slot = b_.TensorList({stranger, indices});
  b_.Call("aten::topk.values", {x, count, dim, flag, flag, values, indices, slot});
  for (const int32_t v : {values, stranger}) b_.Output(v);
  EXPECT_EQ(KindOf(values), NameKind::kOwn);
  EXPECT_EQ(KindOf(stranger), NameKind::kState);  // nothing has written it
}

TEST_F(StorageNames, ABufferWithAnInitialValueIsState) {
  AddInput();
  const int32_t buffer = b_.Planned(1, 0, {4});
  b_.TensorAt(buffer).data_index = 1;
  Use(buffer);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, ANamedInputIsNoState) {
  const int32_t x = b_.Planned(2, 0, {4}, "x");
  b_.Input(x);
  Use(x);
  EXPECT_EQ(KindOf(x), NameKind::kOwn);
}

TEST_F(StorageNames, AnUnnamedBufferBeforeTheInputsIsState) {
  const int32_t buffer = b_.Planned(1, 0, {4});
  const int32_t x = AddInput();
  const int32_t sum = b_.Planned(3, 0, {4});
  b_.Add(buffer, x, sum);
  b_.Copy(buffer, sum);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, StateBeforeTheInputsIsNoViewOfWhatLiesThereLater) {
  const int32_t buffer = b_.Planned(1, 0, {4});
  const int32_t x = AddInput();
  Use(buffer);
  Use(Made(x, 0, {4}));
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, AnUnnamedBufferWithoutInputsIsState) {
  const int32_t buffer = b_.Planned(1, 0, {4});
  Use(buffer);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

// Of two values at a tile's place, one in each branch, the one that was made last before the use
// holds what either branch put there.
TEST_F(StorageNames, ATileIsWhatWasMadeLastBeforeTheUse) {
  const int32_t x = AddInput();
  const int32_t flag = b_.Bool(true);
  const int32_t joined = b_.Planned(1, 64, {4});
  const int32_t inner = b_.Planned(1, 64, {4});
  const int32_t right = b_.Planned(1, 80, {4});
  const int32_t whole = b_.Planned(1, 64, {8});
  const int32_t jump = b_.JumpFalse(flag, 0);
  b_.Add(x, x, joined);
  const int32_t skip = b_.JumpFalse(flag, 0);
  b_.SetTarget(jump, b_.Next());
  b_.Add(x, x, inner);
  b_.Add(inner, x, joined);
  b_.SetTarget(skip, b_.Next());
  b_.Add(x, x, right);
  Use(whole);
  const auto names = StorageNamesOf(b_.Build());
  const StorageName& name = names[static_cast<size_t>(whole)];
  EXPECT_EQ(name.kind, NameKind::kConcat);
  EXPECT_EQ(name.tiles, (std::vector<int32_t>{joined, right}));
}

TEST_F(StorageNames, AWriteInPlaceIsAUseOfState) {
  const int32_t buffer = b_.Planned(1, 0, {4});
  const int32_t x = AddInput();
  const int32_t index = b_.Planned(2, 64, {4}, {}, ScalarType::kInt64);
  b_.Input(index);
  b_.IndexPut(buffer, index, x);
  EXPECT_EQ(KindOf(buffer), NameKind::kState);
}

TEST_F(StorageNames, AViewOfStateIsAView) {
  const int32_t buffer = b_.Planned(1, 0, {4}, "counter");
  AddInput();
  const int32_t view = b_.Planned(1, 0, {2, 2});
  Use(view);
  ExpectView(view, buffer);
}

}  // namespace
}  // namespace pteproof
