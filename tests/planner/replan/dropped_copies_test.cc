// Copies in methods put together by hand: which calls go, and where their results lie then.
#include "planner/replan/dropped_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// a = x + x, and then whatever a test adds. All at places of their own.
struct CopiedSum {
  MethodBuilder m;
  int32_t state = m.Planned(1, 0, {4, 4}, "state");
  int32_t x = m.Planned(1, 64, {4, 4});
  int32_t none = m.None();
  int32_t a = m.Planned(1, 128, {4, 4});
  int32_t copy = m.Planned(1, 192, {4, 4});
  int32_t y = m.Planned(1, 256, {4, 4});

  CopiedSum() {
    m.Input(x);
    m.Add(x, x, a);
  }

  void Clone(int32_t from, int32_t to) { m.Call("aten::clone.out", {from, none, to, to}); }
  DroppedCopies Made() { return DropCopies(ProgramOf({m.Build()}), nullptr); }
  std::vector<int32_t> Dropped() { return Made().dropped.front(); }
};

TEST(DropCopiesTest, MakesACopyANameOfItsSource) {
  CopiedSum sum;
  sum.Clone(sum.a, sum.copy);
  sum.m.Mul(sum.copy, sum.a, sum.y);
  sum.m.Output(sum.y);
  const DroppedCopies made = sum.Made();
  EXPECT_THAT(made.dropped.front(), ElementsAre(1));
  EXPECT_THAT(made.now_at.front(), ElementsAre(0, -1, 1));
  EXPECT_EQ(made.program.methods[0].instructions.size(), 2U);
  EXPECT_EQ(made.program.methods[0].TensorOf(sum.copy)->offset, 128U);
}

TEST(DropCopiesTest, KeepsACopyOfWhatIsWrittenOver) {
  CopiedSum sum;
  sum.Clone(sum.a, sum.copy);
  sum.m.Copy(sum.a, sum.x);
  sum.m.Mul(sum.copy, sum.a, sum.y);
  sum.m.Output(sum.y);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, KeepsACopyThatIsWrittenOver) {
  CopiedSum sum;
  sum.Clone(sum.a, sum.copy);
  sum.m.Copy(sum.copy, sum.x);
  sum.m.Mul(sum.copy, sum.a, sum.y);
  sum.m.Output(sum.y);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, KeepsTheOldContentsOfABuffer) {
  CopiedSum sum;
  sum.Clone(sum.state, sum.copy);
  sum.m.Copy(sum.state, sum.a);
  sum.m.Mul(sum.copy, sum.a, sum.y);
  sum.m.Output(sum.y);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, DropsTheCopyOfABufferThatIsStoredAfterItsLastReader) {
  CopiedSum sum;
  sum.Clone(sum.state, sum.copy);
  sum.m.Mul(sum.copy, sum.a, sum.y);
  sum.m.Copy(sum.state, sum.a);
  sum.m.Output(sum.y);
  EXPECT_THAT(sum.Dropped(), ElementsAre(1));
}

TEST(DropCopiesTest, GivesTheCallerNoInputOrBufferInPlaceOfItsCopy) {
  for (const bool is_state : {false, true}) {
    CopiedSum sum;
    sum.Clone(is_state ? sum.state : sum.x, sum.copy);
    sum.m.Output(sum.copy);
    EXPECT_THAT(sum.Dropped(), IsEmpty());
  }
}

TEST(DropCopiesTest, GivesTheCallerNoStorageTwice) {
  CopiedSum sum;
  sum.Clone(sum.a, sum.copy);
  sum.m.Output(sum.a);
  sum.m.Output(sum.copy);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, KeepsACopyThatADelegateGets) {
  CopiedSum sum;
  sum.Clone(sum.a, sum.copy);
  sum.m.Delegate({sum.copy, sum.y});
  sum.m.Output(sum.y);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

// Rows of a whole that begin at multiples of 32 bytes, as all offsets here.
TEST(DropCopiesTest, PutsASliceIntoItsOperand) {
  CopiedSum sum;
  const int32_t rows = sum.m.Planned(1, 320, {2, 4});
  const int32_t dim = sum.m.Int(0);  // the literals that tell of the slice lie behind it
  const int32_t start = sum.m.Int(2);
  const int32_t end = sum.m.Int(4);
  const int32_t step = sum.m.Int(1);
  sum.m.Call("aten::slice_copy.Tensor_out", {sum.a, dim, start, end, step, rows, rows});
  const int32_t out = sum.m.Planned(1, 352, {2, 4});
  sum.m.Mul(rows, rows, out);
  sum.m.Output(out);
  const DroppedCopies made = sum.Made();
  EXPECT_THAT(made.dropped.front(), ElementsAre(1));
  EXPECT_EQ(made.program.methods[0].TensorOf(rows)->offset, 128U + 32);
}

// Its rows would begin at a multiple of 16 bytes only.
TEST(DropCopiesTest, KeepsASliceThatWouldBeLessAligned) {
  CopiedSum sum;
  const int32_t rows = sum.m.Planned(1, 320, {2, 4});
  const int32_t dim = sum.m.Int(0);
  const int32_t start = sum.m.Int(1);
  const int32_t end = sum.m.Int(3);
  const int32_t step = sum.m.Int(1);
  sum.m.Call("aten::slice_copy.Tensor_out", {sum.a, dim, start, end, step, rows, rows});
  const int32_t out = sum.m.Planned(1, 352, {2, 4});
  sum.m.Mul(rows, rows, out);
  sum.m.Output(out);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, KeepsASliceOfColumns) {
  CopiedSum sum;
  const int32_t columns = sum.m.Planned(1, 320, {4, 2});
  const int32_t zero = sum.m.Int(0);
  const int32_t one = sum.m.Int(1);
  const int32_t two = sum.m.Int(2);
  sum.m.Call("aten::slice_copy.Tensor_out", {sum.a, one, zero, two, one, columns, columns});
  const int32_t out = sum.m.Planned(1, 352, {4, 2});
  sum.m.Mul(columns, columns, out);
  sum.m.Output(out);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

TEST(DropCopiesTest, MakesPartsInTheirConcatenation) {
  CopiedSum sum;
  const int32_t whole = sum.m.Planned(1, 320, {8, 4});
  const int32_t zero = sum.m.Int(0);
  sum.m.Mul(sum.a, sum.x, sum.copy);
  sum.m.Call("aten::cat.out", {sum.m.TensorList({sum.a, sum.copy}), zero, whole, whole});
  const int32_t out = sum.m.Planned(1, 448, {8, 4});
  sum.m.Mul(whole, whole, out);
  sum.m.Output(out);
  const DroppedCopies made = sum.Made();
  EXPECT_THAT(made.dropped.front(), ElementsAre(2));
  EXPECT_EQ(made.program.methods[0].TensorOf(sum.a)->offset, 320U);
  EXPECT_EQ(made.program.methods[0].TensorOf(sum.copy)->offset, 384U);
}

TEST(DropCopiesTest, KeepsAConcatenationOfAValueWithItself) {
  CopiedSum sum;
  const int32_t whole = sum.m.Planned(1, 320, {8, 4});
  const int32_t zero = sum.m.Int(0);
  sum.m.Call("aten::cat.out", {sum.m.TensorList({sum.a, sum.a}), zero, whole, whole});
  sum.m.Output(whole);
  EXPECT_THAT(sum.Dropped(), IsEmpty());
}

// A chain: x + x, a copy of it, the sum of both, a copy of that, ... or copies of copies alone.
Program ManyCopies(int count, bool with_sums) {
  MethodBuilder m;
  uint64_t at = 0;
  const auto planned = [&] { return m.Planned(1, std::exchange(at, at + 64), {4, 4}); };
  const int32_t x = planned();
  const int32_t none = m.None();
  m.Input(x);
  int32_t last = planned();
  m.Add(x, x, last);
  for (int n = 0; n < count; ++n) {
    const int32_t copy = planned();
    m.Call("aten::clone.out", {last, none, copy, copy});
    last = copy;
    if (!with_sums) continue;
    last = planned();
    m.Add(copy, x, last);
  }
  const int32_t y = planned();
  m.Mul(last, last, y);
  m.Output(y);
  return ProgramOf({m.Build()});
}

TEST(DropCopiesTest, DropsManyCopiesThatAreApartAtOnce) {
  const DroppedCopies made = DropCopies(ManyCopies(500, true), nullptr);
  EXPECT_EQ(made.dropped.front().size(), 500U);
  EXPECT_LE(made.lifts, 2);
}

TEST(DropCopiesTest, HalvesAChainOfCopies) {
  const DroppedCopies made = DropCopies(ManyCopies(500, false), nullptr);
  EXPECT_EQ(made.dropped.front().size(), 500U);
  EXPECT_LE(made.lifts, 11);  // 500 < 2^9
}

// `rows` slices of a sum, each with its literals behind it, or with all of them ahead of the sum,
// so that the file does not tell that they are slices.
Program ManySlices(int32_t rows, bool are_told) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {rows, 16});
  m.Input(x);
  std::vector<int32_t> numbers;
  for (int32_t n = 0; n <= rows && !are_told; ++n) numbers.push_back(m.Int(n));
  const auto number = [&](int32_t n) {
    return are_told ? m.Int(n) : numbers[static_cast<size_t>(n)];
  };
  uint64_t at = uint64_t{64} * static_cast<uint64_t>(rows);
  const int32_t sum = m.Planned(1, at, {rows, 16});
  at *= 2;
  m.Add(x, x, sum);
  std::vector<int32_t> slices;
  for (int32_t n = 0; n < rows; ++n) {
    const int32_t slice = m.Planned(1, std::exchange(at, at + 64), {1, 16});
    const std::vector<int32_t> literals = {number(0), number(n), number(n + 1), number(1)};
    m.Call("aten::slice_copy.Tensor_out",
           {sum, literals[0], literals[1], literals[2], literals[3], slice, slice});
    slices.push_back(slice);
  }
  for (const int32_t slice : slices) {
    const int32_t y = m.Planned(1, std::exchange(at, at + 64), {1, 16});
    m.Mul(slice, slice, y);
    m.Output(y);
  }
  return ProgramOf({m.Build()});
}

TEST(DropCopiesTest, DropsAllSlicesOfOneValueAtOnce) {
  const DroppedCopies made = DropCopies(ManySlices(200, true), nullptr);
  EXPECT_EQ(made.dropped.front().size(), 200U);
  EXPECT_LE(made.lifts, 2);
}

// Each alone is a lift of the method, and so are the sets that it is in.
TEST(DropCopiesTest, LooksForCopiesThatStayALimitedTime) {
  const DroppedCopies few = DropCopies(ManySlices(20, false), nullptr);
  EXPECT_THAT(few.dropped.front(), IsEmpty());
  EXPECT_LE(few.lifts, 2 * 20);
  const DroppedCopies many = DropCopies(ManySlices(400, false), nullptr);
  EXPECT_THAT(many.dropped.front(), IsEmpty());
  EXPECT_LE(many.lifts, (1 << 18) / 401);  // of at least so many instructions
}

TEST(DropCopiesTest, EndsWhenItIsAskedTo) {
  const std::atomic<bool> stop = true;
  const WorksFor caller(&stop);
  EXPECT_THROW((void)DropCopies(ManyCopies(2, true), nullptr), Stopped);
}

}  // namespace
}  // namespace pteproof::planner
