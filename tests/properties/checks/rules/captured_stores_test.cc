#include "properties/checks/rules/captured_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<int32_t> CapturesOf(const MethodBuilder& b, const ManifestMethod* stated = nullptr) {
  return CapturedStoresOf(Analysed(b).check.flow(), stated).sure;
}

std::vector<int32_t> DoubtsOf(const MethodBuilder& b, const ManifestMethod* stated = nullptr) {
  return CapturedStoresOf(Analysed(b).check.flow(), stated).doubtful;
}

TEST(CapturedStores, AreCopiesOfAValueOntoItself) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  b.Copy(cache, cache);
  EXPECT_THAT(CapturesOf(b), ElementsAre(0));
}

TEST(CapturedStores, AreCopiesIntoAnInputThatIsNotReturned) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(x);
  b.Mul(x, x, y);
  b.Copy(x, y);
  EXPECT_THAT(CapturesOf(b), ElementsAre(1));
  b.Output(x);
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

TEST(CapturedStores, AreNoStoresToState) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(cache, x);
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

// One store to x, which is returned as output `place` of two.
MethodBuilder OneStore(size_t place) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Copy(x, y);    // 1
  b.Output(place == 0 ? x : y);
  b.Output(place == 0 ? y : x);
  return b;
}

// The exporter returns mutated inputs ahead of the user's outputs.
TEST(CapturedStores, AreInDoubtWhereTheInputIsReturnedAheadOfTheUsersOutputs) {
  EXPECT_THAT(CapturesOf(OneStore(0)), IsEmpty());
  EXPECT_THAT(DoubtsOf(OneStore(0)), ElementsAre(1));
  EXPECT_THAT(CapturesOf(OneStore(1)), ElementsAre(1));
  EXPECT_THAT(DoubtsOf(OneStore(1)), IsEmpty());
}

// Before 1.3.1 the exporter returned the name that the store gives its operand.
TEST(CapturedStores, AreInDoubtWhereTheStoresOwnNameIsReturned) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(x);
  b.Mul(x, x, y);
  const int32_t name = b.Planned(1, 32, {4});
  b.Call("aten::copy_", {x, y, b.Bool(false), name});
  b.Output(name);
  EXPECT_THAT(DoubtsOf(b), ElementsAre(1));
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

TEST(CapturedStores, AreNotInDoubtWhereTheManifestSaysWhatIsMutated) {
  ManifestMethod stated;
  stated.mutates_inputs = {0};
  EXPECT_THAT(DoubtsOf(OneStore(0), &stated), IsEmpty());
  EXPECT_THAT(CapturesOf(OneStore(0), &stated), IsEmpty());
  EXPECT_THAT(CapturesOf(OneStore(1), &stated), IsEmpty());
  stated.mutates_inputs->clear();
  EXPECT_THAT(CapturesOf(OneStore(0), &stated), ElementsAre(1));
  EXPECT_THAT(DoubtsOf(OneStore(0), &stated), IsEmpty());
}

// Two stores to a returned input; between them it may be read.
MethodBuilder TwoStores(bool read_between) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 32, {4});
  b.Input(x);
  b.Mul(x, x, y);                     // 0
  b.Copy(x, y);                       // 1
  b.Mul(read_between ? x : y, y, z);  // 2
  b.Copy(x, z);                       // 3
  b.Output(x);
  return b;
}

// A mutated input is stored to once: what is stored and never seen was meant for a buffer.
TEST(CapturedStores, AreThoseThatTheNextStoreReplaces) {
  EXPECT_THAT(CapturesOf(TwoStores(false)), ElementsAre(1));
}

TEST(CapturedStores, AreNoStoresThatAreReadBeforeTheNext) {
  EXPECT_THAT(CapturesOf(TwoStores(true)), IsEmpty());
}

// Two stores of y to x; between them x, and perhaps y, is moved on.
MethodBuilder TwoStoresAroundMoves(bool two) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(x);
  b.Mul(x, x, y);
  b.Copy(x, y);
  b.Move(x, b.Unplanned({4}));
  if (two) b.Move(y, b.Unplanned({4}));
  b.Copy(x, y);
  b.Output(x);
  return b;
}

// What is moved on is read by another name.
TEST(CapturedStores, AreNoStoresThatAreMovedOnBeforeTheNext) {
  MethodBuilder b = TwoStoresAroundMoves(false);
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

TEST(CapturedStores, AreNoStoresWhereTheFirstOfTwoMovesTakesThemOn) {
  MethodBuilder b = TwoStoresAroundMoves(true);
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

// What was moved on is the value that the first store replaces.
TEST(CapturedStores, AreReplacedStoresThoughAnOlderValueWasMovedOn) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Planned(2, 0, {4}, "cache");
  b.Input(x);
  b.Mul(x, x, y);               // 0
  b.Move(x, b.Unplanned({4}));  // 1
  b.Copy(x, y);                 // 2
  b.Copy(x, y);                 // 3
  b.Output(x);
  EXPECT_THAT(CapturesOf(b), ElementsAre(2));
}

TEST(CapturedStores, AreNoStoresOnAnotherPath) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t flag = b.Unplanned({}, ScalarType::kBool);
  b.Input(flag);
  b.Input(x);
  b.Input(y);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Copy(x, y);
  b.SetTarget(jump, b.Next());
  b.Copy(x, y);
  b.Output(x);
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

TEST(CapturedStores, AreFoundWhereTheyCanRunOnly) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.JumpFalse(b.Bool(false), 2);
  b.Copy(x, x);
  b.Mul(x, x, b.Planned(1, 16, {4}));
  EXPECT_THAT(CapturesOf(b), IsEmpty());
}

// States 'k' and 'v', updated from arguments; the stores go to the arguments of the other's name.
// The first store takes what was made from `first`.
MethodBuilder Push(char first, bool in_exporter_order = false) {
  MethodBuilder b;
  const int32_t k = b.Planned(2, 0, {4}, "k");
  const int32_t v = b.Planned(2, 16, {4}, "v");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(x);
  b.Input(y);
  const int32_t from_k = b.Planned(1, 32, {4});
  b.Mul(k, x, from_k);  // 0
  const int32_t from_v = b.Planned(1, 48, {4});
  b.Mul(v, y, from_v);                           // 1
  b.Mul(from_k, from_v, b.Planned(1, 64, {4}));  // 2
  b.Copy(y, first == 'k' ? from_k : from_v);     // 3
  b.Copy(x, first == 'k' ? from_v : from_k);     // 4
  if (!in_exporter_order) std::swap(b.method().inputs[0], b.method().inputs[1]);
  return b;
}

// State to store.
std::vector<std::pair<int32_t, int32_t>> Meant(const Analysed& a, std::vector<int32_t> lost) {
  std::vector<std::pair<int32_t, int32_t>> meant;
  for (const MeantStore& m :
       MeantStores(a.check, lost, CapturedStoresOf(a.check.flow(), nullptr).sure))
    meant.emplace_back(m.state, m.store);
  return meant;
}

TEST(MeantStores, GoByTheBuffersOrderInTheExportersNumbering) {
  const Analysed straight(Push('k', true));
  ASSERT_TRUE(straight.check.order.holds);
  EXPECT_THAT(Meant(straight, {0, 1}), UnorderedElementsAre(Pair(0, 3), Pair(1, 4)));
  // The new 'k' is made from 'v', and the other way round.
  EXPECT_THAT(Meant(Analysed(Push('v', true)), {0, 1}),
              UnorderedElementsAre(Pair(0, 3), Pair(1, 4)));
}

TEST(MeantStores, GoByTheSourceInAnotherNumbering) {
  const Analysed crossed(Push('v'));
  ASSERT_FALSE(crossed.check.order.holds);
  EXPECT_THAT(Meant(crossed, {0, 1}), UnorderedElementsAre(Pair(1, 3), Pair(0, 4)));
}

// The first instruction makes what is stored.
TEST(MeantStores, GoByTheSourceDownToTheFirstInstruction) {
  const Analysed crossed(Push('v'));
  EXPECT_THAT(Meant(crossed, {0}), ElementsAre(Pair(0, 4)));
}

TEST(MeantStores, FollowTheSourceThroughMoves) {
  MethodBuilder b;
  const int32_t k = b.Planned(2, 0, {4}, "k");
  const int32_t v = b.Planned(2, 16, {4}, "v");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(y);
  b.Input(x);  // against the exporter's order
  const int32_t from_k = b.Planned(1, 32, {4});
  const int32_t from_v = b.Planned(1, 48, {4});
  const int32_t moved = b.Unplanned({4});
  const int32_t on = b.Planned(1, 64, {4});
  b.Mul(k, x, from_k);  // 0
  b.Mul(v, y, from_v);  // 1
  b.Mul(from_k, from_v, b.Planned(1, 80, {4}));
  b.Move(from_v, moved);    // 3
  b.Mul(moved, moved, on);  // 4
  b.Copy(y, on);            // 5
  b.Copy(x, from_k);        // 6
  const Analysed a(b);
  ASSERT_FALSE(a.check.order.holds);
  EXPECT_THAT(Meant(a, {0, 1}), UnorderedElementsAre(Pair(1, 5), Pair(0, 6)));
}

// Made by the instruction right before the move, of either buffer.
TEST(MeantStores, FollowBothSourcesThroughMoves) {
  MethodBuilder b;
  const int32_t k = b.Planned(2, 0, {4}, "k");
  const int32_t v = b.Planned(2, 16, {4}, "v");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  b.Input(y);
  b.Input(x);  // against the exporter's order
  const auto doubled = [&](int32_t from, uint64_t offset) {
    const int32_t product = b.Planned(1, offset, {4});
    b.Mul(from, from, product);
    const int32_t moved = b.Unplanned({4});
    b.Move(product, moved);
    const int32_t on = b.Planned(1, offset + 16, {4});
    b.Mul(moved, moved, on);
    return on;
  };
  const int32_t from_v = doubled(v, 32);  // 0 to 2
  const int32_t from_k = doubled(k, 64);  // 3 to 5
  b.Copy(y, from_v);                      // 6
  b.Copy(x, from_k);                      // 7
  const Analysed a(b);
  ASSERT_FALSE(a.check.order.holds);
  EXPECT_THAT(Meant(a, {0, 1}), UnorderedElementsAre(Pair(1, 6), Pair(0, 7)));
}

TEST(MeantStores, GoByTheSourceWhereThereAreMoreStoresThanBuffers) {
  EXPECT_THAT(Meant(Analysed(Push('k', true)), {1}), ElementsAre(Pair(1, 4)));
}

TEST(MeantStores, GiveAStoreToOneBufferOnly) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "k");
  b.Planned(2, 16, {4}, "v");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(x, x);
  EXPECT_THAT(Meant(Analysed(b), {0, 1}), ElementsAre(Pair(0, 0)));
}

TEST(MeantStores, GiveAStoreWhoseSourceIsKnownToThatBufferOnly) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "k");
  const int32_t v = b.Planned(2, 16, {4}, "v");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t from_v = b.Planned(1, 16, {4});
  b.Mul(v, x, from_v);
  b.Copy(x, from_v);
  EXPECT_THAT(Meant(Analysed(b), {0, 1}), ElementsAre(Pair(1, 1)));
}

TEST(MeantStores, FitTheBufferInTypeAndSize) {
  MethodBuilder b;
  b.Planned(2, 0, {8}, "large");
  b.Planned(2, 32, {4}, "whole", ScalarType::kInt32);
  b.Planned(2, 48, {4}, "same");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Copy(x, x);
  EXPECT_THAT(Meant(Analysed(b), {0, 1}), IsEmpty());
  EXPECT_THAT(Meant(Analysed(b), {0, 1, 2}), ElementsAre(Pair(2, 0)));
}

}  // namespace
}  // namespace pteproof::checks
