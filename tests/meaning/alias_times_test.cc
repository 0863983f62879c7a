// When a view is made, and of what: what counts as its use, and which older value it stands for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "meaning/aliases.h"
#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::ElementsAre;
using ::testing::SizeIs;

class AliasTimes : public ::testing::Test {
 protected:
  AliasTimes() : x_(b_.Planned(1, 0, {4})) { b_.Input(x_); }

  int32_t Made(uint64_t offset) {
    const int32_t v = b_.Planned(1, offset, {4});
    b_.Mul(x_, x_, v);
    return v;
  }
  int32_t View(uint64_t offset) { return b_.Planned(1, offset, {2, 2}); }
  // Enough results in order for the exporter's order to be trusted.
  void KeepOrder() {
    for (uint64_t i = 0; i < 5; ++i) Made(4096 + 64 * i);
  }
  static std::vector<Transfer> To(const Analysed& a, int32_t value) {
    std::vector<Transfer> found;
    for (const Transfer& t : a.check.aliases.transfers) {
      if (t.to == value) found.push_back(t);
    }
    return found;
  }
  static std::vector<int32_t> Sources(const Analysed& a, const Transfer& t) {
    const auto sources = a.check.aliases.SourcesOf(t);
    return {sources.begin(), sources.end()};
  }

  MethodBuilder b_;
  int32_t x_;
};

TEST_F(AliasTimes, TakeAMoveForAUse) {
  const int32_t base = Made(64);  // 0
  const int32_t view = View(64);
  KeepOrder();  // 1 to 5
  const int32_t moved = View(192);
  b_.Move(view, moved);             // 6
  b_.Mul(moved, moved, View(256));  // 7
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  ASSERT_THAT(To(a, view), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, view)[0]), ElementsAre(base));
  EXPECT_EQ(To(a, view)[0].instruction, 1);
  EXPECT_EQ(a.check.aliases.root[static_cast<size_t>(view)], base);
}

TEST_F(AliasTimes, TakeAnOutputForAUseAlsoOfTheLastValue) {
  const int32_t base = Made(64);
  KeepOrder();
  const int32_t view = View(64);
  b_.Output(view);
  const Analysed a(b_);
  ASSERT_THAT(To(a, view), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, view)[0]), ElementsAre(base));
  EXPECT_EQ(To(a, view)[0].instruction, 6);
}

TEST_F(AliasTimes, TakeAViewForTheLastValueOfItsPlace) {
  Made(64);
  const int32_t first = View(64);
  const int32_t second = b_.Planned(1, 64, {4, 1});
  b_.Mul(first, first, View(128));
  b_.Mul(second, second, b_.Planned(1, 192, {4, 1}));
  KeepOrder();
  const Analysed a(b_);
  ASSERT_THAT(To(a, second), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, second)[0]), ElementsAre(first));
}

// Numbered before its base is made, a view is of that from its first use on.
TEST_F(AliasTimes, WaitForTheBaseWhereTheOrderLeavesItLate) {
  const int32_t base = b_.Planned(1, 64, {4});
  const int32_t view = View(64);
  b_.Add(x_, x_, base);  // 0: its literal is numbered after the view
  KeepOrder();           // 1 to 5
  b_.Mul(view, view, View(128));
  const Analysed a(b_);
  ASSERT_TRUE(a.check.order.holds);
  ASSERT_THAT(To(a, view), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, view)[0]), ElementsAre(base));
  EXPECT_EQ(To(a, view)[0].instruction, 6);
}

// What is put together from values that are made later is something else.
TEST_F(AliasTimes, TakeOlderValuesOnlyForTheTilesOfAWhole) {
  for (const bool older : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    int32_t whole = older ? -1 : b.Planned(1, 64, {8});
    const int32_t left = b.Planned(1, 64, {4});
    b.Mul(x, x, left);
    const int32_t right = b.Planned(1, 80, {4});
    b.Mul(x, x, right);
    if (older) whole = b.Planned(1, 64, {8});
    for (uint64_t i = 0; i < 5; ++i) b.Mul(x, x, b.Planned(1, 4096 + 64 * i, {4}));
    b.Mul(whole, whole, b.Planned(1, 128, {8}));
    const Analysed a(b);
    ASSERT_TRUE(a.check.order.holds);
    if (older) {
      ASSERT_THAT(To(a, whole), SizeIs(1));
      EXPECT_THAT(Sources(a, To(a, whole)[0]), ElementsAre(left, right));
    } else {
      EXPECT_THAT(a.check.aliases.unexplained, ElementsAre(whole));
    }
  }
}

// The first value of a state's name is another name of the value that has its data.
TEST_F(AliasTimes, TakeTheVeryFirstValueForANameOfItsState) {
  MethodBuilder b;
  const int32_t name = b.Planned(2, 0, {4}, "cache");
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  b.TensorAt(cache).data_index = 1;
  b.Mul(cache, cache, b.Planned(1, 0, {4}));
  EXPECT_EQ(Analysed(b).check.aliases.root[static_cast<size_t>(name)], cache);
}

// Once it is written, a view has a content of its own, which another block does not take over anew.
TEST_F(AliasTimes, AreNoneOfAViewThatTheFirstInstructionUpdates) {
  for (const bool ordered : {true, false}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    const int32_t flag = b.Unplanned({}, ScalarType::kBool);
    b.method().inputs = ordered ? std::vector{x, flag} : std::vector{flag, x};
    const int32_t view = b.Planned(1, 0, {2, 2});
    b.IndexPut(view, b.Constant(1, {1}, ScalarType::kInt64), x);  // 0
    b.JumpFalse(flag, 2);                                         // 1
    b.Mul(view, view, b.Planned(1, 64, {2, 2}));                  // 2
    for (uint64_t i = 0; ordered && i < 5; ++i) b.Mul(x, x, b.Planned(1, 4096 + 64 * i, {4}));
    const Analysed a(b);
    ASSERT_EQ(a.check.order.holds, ordered);
    EXPECT_THAT(To(a, view), SizeIs(1)) << ordered;
  }
}

// A tile counts from its first write before the use on, whatever writes it afterwards.
TEST_F(AliasTimes, TakeATileThatIsWrittenAgainAfterTheUse) {
  const int32_t left = Made(64);   // 0
  const int32_t right = Made(80);  // 1
  const int32_t whole = b_.Planned(1, 64, {8});
  KeepOrder();                                    // 2 to 6
  b_.Mul(whole, whole, b_.Planned(1, 128, {8}));  // 7
  b_.Mul(x_, x_, left);                           // 8
  const Analysed a(b_);
  ASSERT_THAT(To(a, whole), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, whole)[0]), ElementsAre(left, right));
}

TEST_F(AliasTimes, TakeNoTileThatIsMadeByTheUseItself) {
  Made(64);  // 0
  const int32_t right = b_.Planned(1, 80, {4});
  const int32_t whole = b_.Planned(1, 64, {8});
  b_.Mul(whole, x_, right);  // 1
  const Analysed a(b_);
  EXPECT_THAT(a.check.aliases.unexplained, ElementsAre(whole));
}

// What lay in the state's bytes meanwhile is not what its name means.
TEST_F(AliasTimes, TakeALaterNameOfStateForTheState) {
  const int32_t cache = b_.Planned(1, 64, {4}, "cache");
  Made(64);
  const int32_t name = b_.Planned(1, 64, {4}, "cache");
  KeepOrder();
  b_.Mul(name, name, b_.Planned(1, 128, {4}));
  EXPECT_EQ(Analysed(b_).check.aliases.root[static_cast<size_t>(name)], cache);
}

// An input stands in the tile's place at entry, and what is written over it later.
TEST_F(AliasTimes, TakeWhatIsMadeLastForATile) {
  const int32_t y = b_.Planned(1, 64, {4});
  b_.Input(y);
  const int32_t left = Made(64);   // 0
  const int32_t right = Made(80);  // 1
  const int32_t whole = b_.Planned(1, 64, {8});
  KeepOrder();
  b_.Mul(whole, whole, b_.Planned(1, 128, {8}));
  const Analysed a(b_);
  ASSERT_THAT(To(a, whole), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, whole)[0]), ElementsAre(left, right));
}

// Smaller values lay inside one of the tiles before.
TEST_F(AliasTimes, TakeTilesAmongSmallerValues) {
  for (uint64_t i = 0; i < 4; ++i) {
    b_.Mul(x_, x_, b_.Planned(1, 72 + 8 * i, {2}));  // 0 to 3
  }
  const int32_t left = b_.Planned(1, 64, {12});
  b_.Mul(x_, x_, left);  // 4
  const int32_t right = Made(112);
  const int32_t whole = b_.Planned(1, 64, {16});
  KeepOrder();
  b_.Mul(whole, whole, b_.Planned(1, 256, {16}));
  const Analysed a(b_);
  ASSERT_THAT(To(a, whole), SizeIs(1));
  EXPECT_THAT(Sources(a, To(a, whole)[0]), ElementsAre(left, right));
}

// Inputs against the exporter's order: what was made last in a place is what a view is of.
class UnorderedViews : public ::testing::Test {
 protected:
  UnorderedViews() : x_(b_.Planned(1, 0, {4})), y_(b_.Planned(1, 16, {4})) {
    b_.Input(y_);
    b_.Input(x_);
  }
  int32_t RootOfView(uint32_t bank, uint64_t offset) {
    const int32_t view = b_.Planned(bank, offset, {2, 2});
    b_.Mul(view, view, b_.Planned(3, 0, {2, 2}));
    const Analysed a(b_);
    EXPECT_FALSE(a.check.order.holds);
    return a.check.aliases.root[static_cast<size_t>(view)];
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t y_;
};

TEST_F(UnorderedViews, MayBeOfAnInput) {
  EXPECT_EQ(RootOfView(1, 0), x_);
}

TEST_F(UnorderedViews, MayBeOfState) {
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  EXPECT_EQ(RootOfView(2, 0), cache);
}

TEST_F(UnorderedViews, AreOfWhatIsWrittenLastNotOfWhatIsNumberedLast) {
  const int32_t late = b_.Planned(1, 64, {4});
  const int32_t early = b_.Planned(1, 64, {4});
  b_.Mul(x_, y_, early);
  b_.Mul(x_, y_, late);
  EXPECT_EQ(RootOfView(1, 64), late);
}

// A loop writes the view in place: from the second round on it has its own content.
TEST_F(AliasTimes, WithoutAnOrderAreNotThoseOfALoopThatWritesTheView) {
  const int32_t view = b_.Planned(1, 64, {4});
  const int32_t base = b_.Planned(1, 64, {4});
  const int32_t round = b_.Int(0);
  const int32_t is_last = b_.Bool(false);
  b_.Mul(x_, x_, base);                       // 0
  b_.Mul(view, x_, b_.Planned(1, 128, {4}));  // 1
  b_.Move(b_.Int(0), round);                  // 2
  const int32_t top = b_.Next();
  b_.Call("aten::neg.out", {view, view, view});  // 3
  b_.Call("executorch_prim::add.Scalar", {round, b_.Int(1), round});
  b_.Call("executorch_prim::eq.Scalar", {round, b_.Int(3), is_last});
  b_.JumpFalse(is_last, top);
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  const auto transfers = To(a, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].instruction, 1);
}

TEST_F(AliasTimes, WithoutAnOrderAreBeforeALoopThatWritesTheView) {
  const int32_t view = b_.Planned(1, 64, {4});
  const int32_t base = b_.Planned(1, 64, {4});
  const int32_t round = b_.Int(0);
  const int32_t is_last = b_.Bool(false);
  b_.Mul(x_, x_, base);       // 0
  b_.Move(b_.Int(0), round);  // 1
  const int32_t top = b_.Next();
  b_.Call("aten::neg.out", {view, view, view});  // 2
  b_.Call("executorch_prim::add.Scalar", {round, b_.Int(1), round});
  b_.Call("executorch_prim::eq.Scalar", {round, b_.Int(3), is_last});
  b_.JumpFalse(is_last, top);
  const Analysed a(b_);
  ASSERT_FALSE(a.check.order.holds);
  const auto transfers = To(a, view);
  ASSERT_THAT(transfers, SizeIs(1));
  EXPECT_EQ(transfers[0].instruction, 1);
  EXPECT_THAT(Sources(a, transfers[0]), ElementsAre(base));
}

}  // namespace
}  // namespace pteproof::meaning
