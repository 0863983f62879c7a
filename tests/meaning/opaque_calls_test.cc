#include "meaning/opaque_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class OpaqueCallsTest : public ::testing::Test {
 protected:
  OpaqueCallsTest() { b_.Input(in_); }

  int32_t Local() { return b_.Planned(1, 16 * ++next_, {4}); }
  [[nodiscard]] OpaqueCall Only(const ManifestMethod* stated = nullptr) const {
    const OpaqueCalls calls = OpaqueCallsOf(b_.Build(), stated);
    EXPECT_THAT(calls, SizeIs(1));
    return calls.empty() ? OpaqueCall() : calls.begin()->second;
  }

  uint64_t next_ = 0;
  MethodBuilder b_;
  int32_t in_ = b_.Planned(1, 0, {4});
};

TEST_F(OpaqueCallsTest, AreOfUnknownOperatorsAndDelegatesAlone) {
  const int32_t made = Local();
  const int32_t out = Local();
  const int32_t last = Local();
  b_.Add(in_, in_, made);
  b_.Call("my::op.out", {made, b_.Int(1), out, out});
  b_.Move(out, made);
  b_.Delegate({in_, last});
  const OpaqueCalls calls = OpaqueCallsOf(b_.Build(), nullptr);
  ASSERT_THAT(calls, ElementsAre(Pair(1, ::testing::_), Pair(3, ::testing::_)));
  EXPECT_THAT(calls.at(1).results, ElementsAre(out));
  EXPECT_THAT(calls.at(3).operands, ElementsAre(in_));
  EXPECT_THAT(calls.at(3).results, ElementsAre(last));
}

TEST_F(OpaqueCallsTest, AreNoneInAMethodOfKnownOperators) {
  b_.Add(in_, in_, Local());
  EXPECT_THAT(OpaqueCallsOf(b_.Build(), nullptr), IsEmpty());
}

TEST_F(OpaqueCallsTest, HaveNumbersAndWholeListsAsOperands) {
  const int32_t made = Local();
  b_.Add(in_, in_, made);
  const int32_t list = b_.TensorList({made, in_});
  const int32_t none = b_.TensorList({});
  const int32_t number = b_.Int(3);
  const int32_t nothing = b_.None();
  const int32_t out = Local();
  b_.Call("my::op.out", {list, number, none, nothing, out, out});
  const OpaqueCall call = Only();
  EXPECT_THAT(call.operands, ElementsAre(list, number, none, nothing));
  EXPECT_THAT(call.results, ElementsAre(out));
}

TEST_F(OpaqueCallsTest, TakeTheLastOperandOfTheResultsPlace) {
  const int32_t first = b_.Planned(1, 16, {4});
  const int32_t again = b_.Planned(1, 16, {4});
  const int32_t slot = b_.Planned(1, 16, {4});
  const int32_t other = b_.Planned(1, 32, {4});
  const int32_t results = b_.TensorList({slot, other, slot});
  b_.Call("my::fuse.out", {in_, first, again, results});
  const OpaqueCall call = Only();
  EXPECT_THAT(call.results, ElementsAre(again, other));
  EXPECT_THAT(call.returned, ElementsAre(Pair(slot, again), Pair(slot, again)));
  EXPECT_THAT(call.operands, ElementsAre(in_, first));
}

TEST_F(OpaqueCallsTest, ReadAResultThatHeldAValueAsAnArgumentOnly) {
  const int32_t held = Local();
  b_.Add(in_, in_, held);
  const int32_t list = b_.TensorList({held});
  b_.Call("my::op", {held, in_, list});
  const OpaqueCall updates = Only();
  EXPECT_THAT(updates.operands, ElementsAre(held, in_));
  EXPECT_THAT(updates.results, ElementsAre(held));
  b_.method().instructions.pop_back();
  b_.Call("my::op", {in_, list});  // a kernel does not see the slot
  const OpaqueCall makes = Only();
  EXPECT_THAT(makes.operands, ElementsAre(in_));
  EXPECT_THAT(makes.results, ElementsAre(held));
}

TEST_F(OpaqueCallsTest, UpdateTheOperandOfAnOperatorThatIsNamedInPlace) {
  const int32_t held = Local();
  b_.Call("my::roll_", {held, in_, held});
  EXPECT_THAT(Only().operands, ElementsAre(held, in_));
  b_.method().instructions.pop_back();
  b_.Call("my::roll", {held, in_, held});
  EXPECT_THAT(Only().operands, ElementsAre(in_));
}

TEST_F(OpaqueCallsTest, TakeASlotOfANumberForAnOperand) {
  const int32_t slot = b_.Int(0);
  b_.Call("my::measure", {in_, slot});
  const OpaqueCall call = Only();
  EXPECT_THAT(call.operands, ElementsAre(in_, slot));
  EXPECT_THAT(call.results, IsEmpty());
}

TEST_F(OpaqueCallsTest, OfDelegatesAreAsAManifestStates) {
  const int32_t x = Local();
  const int32_t y = Local();
  b_.Delegate({in_, x, y});
  EXPECT_THAT(Only().results, ElementsAre(x, y));
  ManifestMethod stated;
  stated.delegates = {{.index = 0, .outputs = 1, .updates = std::vector<int32_t>{0}}};
  const OpaqueCall call = Only(&stated);
  EXPECT_THAT(call.operands, ElementsAre(in_, x));
  EXPECT_THAT(call.results, ElementsAre(in_, y));
}

TEST_F(OpaqueCallsTest, OfAProgramAreByMethodAndItsName) {
  const int32_t out = Local();
  const int32_t more = Local();
  b_.Delegate({in_, out, more});
  MethodBuilder other("other");
  other.Input(other.Planned(1, 0, {4}));
  const Program program = ProgramOf({other.Build(), b_.Build()});
  Manifest manifest;
  manifest.methods["forward"].delegates = {{.index = 0, .outputs = 1}};
  const GivenOpaqueCalls calls = OpaqueCallsOf(program, &manifest);
  ASSERT_THAT(*calls, SizeIs(2));
  EXPECT_THAT((*calls)[0], IsEmpty());
  EXPECT_THAT((*calls)[1].at(0).results, ElementsAre(more));
  EXPECT_THAT((*OpaqueCallsOf(program, nullptr))[1].at(0).results, ElementsAre(out, more));
}

// A buffer without a name is one by its number, if there is an order of numbers.
TEST_F(OpaqueCallsTest, GoByNumbersWhereTheyAreInOrder) {
  for (const bool in_order : {true, false}) {
    MethodBuilder b;
    const int32_t buffer = b.Planned(1, 64, {4});
    const int32_t in = b.Planned(1, 0, {4});
    b.Input(in);
    const int32_t out = b.Planned(1, 16, {4});
    const int32_t later = b.Planned(1, 32, {4});
    const int32_t last = b.Planned(1, 48, {4});
    b.Delegate({in, buffer, out});
    b.Mul(in, in, in_order ? later : last);
    b.Mul(in, in, in_order ? last : later);
    const OpaqueCall call = OpaqueCallsOf(b.Build(), nullptr).at(0);
    EXPECT_EQ(call.operands.size(), in_order ? 2U : 1U);
    EXPECT_EQ(call.results.size(), in_order ? 1U : 2U);
  }
}

// One call with as many results as operands, of one place each.
TEST_F(OpaqueCallsTest, WithManyOperandsAndResultsAreQuick) {
  constexpr int kMany = 20'000;
  std::vector<int32_t> args = {in_};
  std::vector<int32_t> items;
  for (int n = 0; n < kMany; ++n) args.push_back(b_.Planned(1, 16 + 16 * uint64_t(n), {4}));
  for (int n = 0; n < kMany; ++n) items.push_back(b_.Planned(1, 16 + 16 * uint64_t(n), {4}));
  args.push_back(b_.TensorList(items));
  b_.Call("my::fuse.out", args);
  const OpaqueCall call = Only();
  EXPECT_THAT(call.results, SizeIs(kMany));
  EXPECT_THAT(call.returned, SizeIs(kMany));
}

}  // namespace
}  // namespace pteproof::meaning
