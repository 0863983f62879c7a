// The standard in-place examples, in file order and in any order that respects the flow of data.
#include <gtest/gtest.h>

#include <algorithm>

#include "properties/proofs/prove.h"
#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"

namespace pteproof::proofs {
namespace {

constexpr uint64_t kBytes = 16;  // of four floats

Verdict VerdictOf(const Method& method, Order order) {
  ObligeOptions options;
  options.order = order;
  const Program program = ProgramOf({method});
  return Prove(program, options).verdicts.front();
}

int32_t Place(MethodBuilder& m, uint64_t slot) {
  return m.Planned(1, slot * kBytes, {4});
}

// x, and a = x * x behind it, which the examples overwrite.
struct Square {
  MethodBuilder m;
  int32_t x = Place(m, 0);
  int32_t a = Place(m, 1);

  Square() {
    m.Input(x);
    m.Mul(x, x, a);
  }
};

TEST(InPlace, IsProvedWhereTheOperandDies) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t b = Place(m, 1);  // over a, which nobody else reads
  m.Add(a, x, b);
  m.Output(b);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kFile), Verdict::kSafe);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kAny), Verdict::kSafe);
}

TEST(InPlace, IsRefutedWhereTheOperandIsReadLater) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t b = Place(m, 1);
  m.Add(a, x, b);
  const int32_t c = Place(m, 2);
  m.Add(a, b, c);
  m.Output(c);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kFile), Verdict::kUnsafe);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kAny), Verdict::kUnsafe);
}

TEST(InPlace, IsRefutedInAnyOrderWhereOnlyTheListingOrdersARead) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t early = Place(m, 2);
  m.Mul(a, x, early);  // reads a; nothing that the next instruction uses comes from it
  const int32_t b = Place(m, 1);
  m.Add(a, x, b);
  m.Output(early);
  m.Output(b);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kFile), Verdict::kSafe);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kAny), Verdict::kUnsafe);
}

TEST(InPlace, IsProvedInAnyOrderWhereDataOrdersTheRead) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t early = Place(m, 2);
  m.Mul(a, x, early);
  const int32_t b = Place(m, 1);
  m.Add(a, early, b);  // uses what the early reader made
  m.Output(b);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kAny), Verdict::kSafe);
}

// Both name the value that is overwritten.
TEST(InPlace, IsProvedInAnyOrderWhereAReaderNamesTheValueThatIsUpdated) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t early = Place(m, 2);
  m.Mul(a, x, early);
  m.Call("aten::copy_", {a, x, m.Bool(false), a});
  m.Output(early);
  m.Output(a);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kAny), Verdict::kSafe);
}

// An elided view has no maker: what makes its base comes before its readers.
Method ThroughAView(bool overwritten_by_data_alone) {
  Square square;
  auto& [m, x, a] = square;
  const int32_t view = m.Planned(1, m.TensorAt(a).offset, {2, 2});
  const int32_t made = m.Planned(1, 4096, {2, 2});
  m.Call("aten::relu.out", {view, made, made});
  // Over the bytes of the view: after its reader by data, or by the listing alone.
  const int32_t over = m.Planned(1, m.TensorAt(a).offset, {2, 2});
  const int32_t from = overwritten_by_data_alone ? made : m.Planned(1, 8192, {2, 2});
  if (!overwritten_by_data_alone) m.Input(from);
  m.Call("aten::neg.out", {from, over, over});
  m.Output(over);
  m.Output(made);
  return m.Build();
}

TEST(InPlace, IsProvedInAnyOrderThroughAnElidedView) {
  EXPECT_EQ(VerdictOf(ThroughAView(true), Order::kAny), Verdict::kSafe);
}

TEST(InPlace, IsRefutedInAnyOrderOverTheBytesOfAnElidedView) {
  EXPECT_EQ(VerdictOf(ThroughAView(false), Order::kFile), Verdict::kSafe);
  EXPECT_EQ(VerdictOf(ThroughAView(false), Order::kAny), Verdict::kUnsafe);
}

// v4 is [v1, v2]: its bytes are theirs, and no instruction makes it.
Method Concat(bool second_part_is_overwritten, bool first_part_is_updated = false) {
  MethodBuilder m;
  const int32_t x = Place(m, 0);
  m.Input(x);
  const int32_t first = Place(m, 1);
  m.Mul(x, x, first);
  const int32_t second = Place(m, 2);
  m.Add(x, first, second);
  const int32_t whole = m.Planned(1, kBytes, {8});
  const int32_t between = Place(m, second_part_is_overwritten ? 2 : 3);
  if (second_part_is_overwritten) {
    m.Mul(x, x, between);
    m.Output(between);
  }
  if (first_part_is_updated) {
    m.Mul(x, x, between);
    m.Copy(first, between);
  }
  const int32_t result = m.Planned(1, 8 * kBytes, {8});
  m.Flip(whole, result);
  m.Output(result);
  m.Output(second);
  return m.Build();
}

TEST(InPlace, ConcatenationIsProvedWhereItsPartsStay) {
  EXPECT_EQ(VerdictOf(Concat(false), Order::kFile), Verdict::kSafe);
  EXPECT_EQ(VerdictOf(Concat(true), Order::kFile), Verdict::kUnsafe);
  EXPECT_EQ(VerdictOf(Concat(false, true), Order::kFile), Verdict::kUnsafe);
}

TEST(InPlace, AViewInABranchIsOfNothingThatTheOtherOneMakes) {
  EXPECT_EQ(VerdictOf(ViewInABranch(true).method, Order::kFile), Verdict::kSafe);
  EXPECT_EQ(VerdictOf(ViewInABranch(false).method, Order::kFile), Verdict::kUnsafe);
}

TEST(InPlace, ANameInABranchIsOfNothingThatTheOtherOneMadeInTheRoundBefore) {
  for (const Elided kind : {Elided::kView, Elided::kSlice, Elided::kConcatenation}) {
    EXPECT_EQ(VerdictOf(NameInABranchOfALoop(kind, true).method, Order::kFile), Verdict::kSafe);
    EXPECT_EQ(VerdictOf(NameInABranchOfALoop(kind, false).method, Order::kFile), Verdict::kUnsafe);
  }
}

TEST(InPlace, AViewOfAReturnedNameIsNotOfADeadValueInItsPlace) {
  EXPECT_EQ(VerdictOf(ViewOfAReturnedName(false).method, Order::kFile), Verdict::kUnsafe);
  EXPECT_EQ(VerdictOf(ViewOfAReturnedName(true).method, Order::kFile), Verdict::kUnsafe);
}

TEST(InPlace, ConstantsAreNeverStoredTo) {
  MethodBuilder m;
  const int32_t x = Place(m, 0);
  m.Input(x);
  const int32_t c = m.Constant(1, {4});
  m.Copy(c, x);
  m.Output(x);
  EXPECT_EQ(VerdictOf(m.Build(), Order::kFile), Verdict::kUnsafe);
}

}  // namespace
}  // namespace pteproof::proofs
