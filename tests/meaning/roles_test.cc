#include "meaning/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Owns the method that the roles' names point into.
class RolesOfMethod : public ::testing::Test {
 protected:
  const Roles& Of(const ManifestMethod* stated = nullptr) {
    method_ = b_.Build();
    const Effects effects = EffectsOf(method_, stated);
    roles_ = RolesOf(method_, effects, ExporterOrderOf(method_, effects), stated);
    return roles_;
  }
  Role RoleOf(int32_t v) const { return roles_.of[static_cast<size_t>(v)]; }
  const Usage& UsageOf(int32_t v) const { return roles_.usage[static_cast<size_t>(v)]; }
  int32_t StateOf(int32_t v) const { return roles_.state_of[static_cast<size_t>(v)]; }
  // Enough instructions in order for the exporter's order to be trusted.
  void KeepOrder(int32_t x) {
    for (uint64_t i = 0; i < 5; ++i) b_.Mul(x, x, b_.Planned(1, 1024 + 64 * i, {4}));
  }

  MethodBuilder b_;
  Method method_;
  Roles roles_;
};

using RolesFromTheFile = RolesOfMethod;
using RolesFromNames = RolesOfMethod;
using RolesFromTheOrder = RolesOfMethod;
using RolesFromStores = RolesOfMethod;
using UsageOfValues = RolesOfMethod;

TEST_F(RolesFromTheFile, TellInputsConstantsLocalsAndTheCallersMemory) {
  const int32_t input = b_.Planned(1, 0, {4});
  const int32_t constant = b_.Constant(1, {4});
  const int32_t local = b_.Planned(1, 16, {4});
  const int32_t caller = b_.Unplanned({4});
  const int32_t number = b_.Int(1);
  b_.Input(input);
  b_.Mul(input, constant, local);
  b_.Mul(local, local, caller);
  Of();
  EXPECT_EQ(RoleOf(input), Role::kInput);
  EXPECT_EQ(RoleOf(constant), Role::kConstant);
  EXPECT_EQ(RoleOf(local), Role::kLocal);
  EXPECT_EQ(RoleOf(caller), Role::kCaller);
  EXPECT_EQ(RoleOf(number), Role::kNoTensor);
  EXPECT_THAT(roles_.states, IsEmpty());
  EXPECT_EQ(roles_.place[static_cast<size_t>(local)], (Place{1, 16, 32}));
  EXPECT_TRUE(roles_.place[static_cast<size_t>(constant)].empty());
}

TEST_F(RolesFromTheFile, TakeExternalDataForAConstant) {
  const int32_t v = b_.Unplanned({4});
  b_.TensorAt(v).external = true;
  Of();
  EXPECT_EQ(RoleOf(v), Role::kConstant);
}

TEST_F(RolesFromTheFile, TakeAStoredInitialValueForState) {
  const int32_t v = b_.Planned(1, 0, {4});
  b_.TensorAt(v).data_index = 3;
  Of();
  ASSERT_THAT(roles_.states, SizeIs(1));
  EXPECT_EQ(RoleOf(v), Role::kState);
  EXPECT_EQ(roles_.states[0].initial, 3U);
}

TEST_F(RolesFromNames, TakeANamedPlannedValueForState) {
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  b_.Copy(cache, b_.Planned(1, 0, {4}));
  Of();
  ASSERT_THAT(roles_.states, SizeIs(1));
  EXPECT_EQ(roles_.states[0].value, cache);
  EXPECT_EQ(roles_.states[0].key, "cache");
  EXPECT_EQ(roles_.states[0].place, (Place{2, 0, 16}));
}

TEST_F(RolesFromNames, DoNotTakeANamedInputOrConstantForState) {
  const int32_t input = b_.Planned(1, 0, {4}, "x");
  const int32_t constant = b_.Constant(1, {4});
  b_.Input(input);
  Of();
  EXPECT_EQ(RoleOf(input), Role::kInput);
  EXPECT_EQ(RoleOf(constant), Role::kConstant);
  EXPECT_THAT(roles_.states, IsEmpty());
}

TEST_F(RolesFromNames, MakeOneStateOfAllValuesWithOneNameAndPlace) {
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  const int32_t view = b_.Planned(2, 0, {2, 2}, "cache");
  Of();
  ASSERT_THAT(roles_.states, SizeIs(1));
  EXPECT_EQ(RoleOf(cache), Role::kState);
  EXPECT_EQ(RoleOf(view), Role::kLocal);
  EXPECT_EQ(StateOf(view), StateOf(cache));
}

TEST_F(RolesFromNames, MakeTwoStatesOfOneNameAtTwoPlaces) {
  b_.Planned(2, 0, {4}, "cache");
  b_.Planned(2, 16, {4}, "cache");
  EXPECT_THAT(Of().states, SizeIs(2));
}

TEST_F(RolesFromNames, PreferTheValueWithStoredData) {
  const int32_t view = b_.Planned(2, 0, {2, 2}, "cache");
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  b_.TensorAt(cache).data_index = 1;
  Of();
  ASSERT_THAT(roles_.states, SizeIs(1));
  EXPECT_EQ(roles_.states[0].value, cache);
  EXPECT_EQ(roles_.states[0].initial, 1U);
  EXPECT_EQ(RoleOf(view), Role::kLocal);
}

TEST_F(RolesFromNames, PreferTheValueWithDataOutsideOfTheFile) {
  for (const bool first : {true, false}) {
    b_ = MethodBuilder();
    const int32_t one = b_.Planned(2, 0, {2, 2}, "cache");
    const int32_t other = b_.Planned(2, 0, {4}, "cache");
    const int32_t cache = first ? one : other;
    b_.TensorAt(cache).external = true;
    const int32_t x = b_.Planned(1, 0, {4});
    b_.Input(x);
    b_.Copy(first ? other : one, x);
    ASSERT_THAT(Of().states, SizeIs(1));
    EXPECT_EQ(roles_.states[0].value, cache);
    EXPECT_TRUE(roles_.states[0].external);
  }
}

TEST_F(RolesFromNames, PreferTheTargetOfStoresUnderAShuffledNumbering) {
  const int32_t view = b_.Planned(2, 0, {2, 2}, "cache");
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  const int32_t x = b_.Planned(1, 0, {4});
  b_.Input(x);
  b_.Copy(cache, x);
  Of();
  EXPECT_EQ(roles_.states[0].value, cache);
  EXPECT_EQ(RoleOf(view), Role::kLocal);
}

// In the exporter's order the first value of a name is the buffer, whatever is stored where.
TEST_F(RolesFromNames, KeepTheFirstValueWhereTheNumberingIsTheExporters) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t view = b.Planned(2, 0, {4}, "cache");
  b.IndexPut(view, b.Constant(1, {1}, ScalarType::kInt64), x);
  for (uint64_t i = 1; i < 8; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
  const Method method = b.Build();
  const Effects effects = EffectsOf(method, nullptr);
  const ExporterOrder order = ExporterOrderOf(method, effects);
  ASSERT_TRUE(order.holds);
  const Roles roles = RolesOf(method, effects, order, nullptr);
  ASSERT_EQ(roles.states.size(), 1U);
  EXPECT_EQ(roles.states[0].value, cache);
}

TEST_F(RolesFromNames, TakeThePlaceOfTheTargetToo) {
  b_.Planned(2, 0, {8}, "cache");
  const int32_t cache = b_.Planned(2, 0, {4}, "cache");
  const int32_t x = b_.Planned(1, 0, {4});
  b_.Input(x);
  b_.Copy(cache, x);
  EXPECT_EQ(Of().states[0].place, (Place{2, 0, 16}));
}

TEST_F(RolesFromNames, TakeTheManifestsNameBeforeTheFiles) {
  const int32_t v = b_.Planned(2, 0, {4}, "cache");
  const int32_t w = b_.Planned(2, 16, {4});
  ManifestMethod stated;
  stated.values = {{v, "stated"}, {w, "other"}};
  Of(&stated);
  ASSERT_THAT(roles_.states, SizeIs(2));
  EXPECT_EQ(roles_.states[0].key, "stated");
  EXPECT_EQ(roles_.states[1].key, "other");
}

TEST_F(RolesFromNames, GiveNoPlaceToStateInTheCallersMemory) {
  const int32_t v = b_.Unplanned({4});
  ManifestMethod stated;
  stated.values = {{v, "cache"}};
  Of(&stated);
  ASSERT_THAT(roles_.states, SizeIs(1));
  EXPECT_TRUE(roles_.states[0].place.empty());
}

TEST_F(RolesFromTheOrder, TakeWhatComesBeforeInputsForState) {
  const int32_t state = b_.Planned(2, 0, {4});
  const int32_t x = b_.Planned(1, 0, {4});
  b_.Input(x);
  KeepOrder(x);
  Of();
  EXPECT_EQ(RoleOf(state), Role::kState);
  EXPECT_TRUE(roles_.states[0].key.empty());
}

TEST_F(RolesFromTheOrder, DoNotTakeWhatComesAfterInputsForState) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t later = b_.Planned(2, 0, {4});
  b_.Input(x);
  KeepOrder(x);
  Of();
  EXPECT_EQ(RoleOf(later), Role::kLocal);
}

TEST_F(RolesFromTheOrder, DoNotTakeAResultForState) {
  const int32_t made = b_.Planned(2, 0, {4});
  const int32_t x = b_.Planned(1, 0, {4});
  b_.Input(x);
  b_.Mul(x, x, made);
  KeepOrder(x);
  Of();
  EXPECT_EQ(RoleOf(made), Role::kLocal);
}

TEST_F(RolesFromTheOrder, SayNothingUnderAShuffledNumbering) {
  const int32_t v = b_.Planned(2, 0, {4});
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t y = b_.Planned(1, 16, {4});
  b_.Input(y);
  b_.Input(x);
  KeepOrder(x);
  Of();
  EXPECT_EQ(RoleOf(v), Role::kLocal);
}

TEST_F(RolesFromStores, TakeWhatIsOnlyStoredToForState) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t v = b_.Planned(2, 0, {4});
  b_.Input(x);
  b_.Copy(v, x);
  Of();
  EXPECT_EQ(RoleOf(v), Role::kState);
}

// It is the result of a loop that nobody reads.
TEST_F(RolesFromStores, DoNotTakeWhatIsFilledRowByRowForState) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t all = b_.Planned(1, 16, {2, 4});
  b_.Input(x);
  b_.Call("executorch_prim::et_copy_index.tensor", {all, x, b_.Int(0)});
  Of();
  EXPECT_EQ(RoleOf(all), Role::kLocal);
}

TEST_F(RolesFromStores, DoNotTakeAScansCarryForState) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t carry = b_.Planned(2, 0, {4});
  const int32_t out = b_.Planned(1, 16, {4});
  b_.Input(x);
  b_.Copy(carry, x);
  b_.Mul(carry, x, out);
  b_.Output(out);
  Of();
  EXPECT_EQ(RoleOf(carry), Role::kLocal);
}

TEST_F(RolesFromStores, DoNotTakeAnOutputForState) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t v = b_.Planned(2, 0, {4});
  b_.Input(x);
  b_.Copy(v, x);
  b_.Output(v);
  Of();
  EXPECT_EQ(RoleOf(v), Role::kLocal);
}

TEST_F(RolesFromStores, KeepStatesInTheOrderOfTheirValues) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t unnamed = b_.Planned(2, 0, {4});
  const int32_t named = b_.Planned(2, 16, {4}, "cache");
  b_.Input(x);
  b_.Copy(unnamed, x);
  Of();
  ASSERT_THAT(roles_.states, SizeIs(2));
  EXPECT_EQ(roles_.states[0].value, unnamed);
  EXPECT_EQ(roles_.states[1].value, named);
  EXPECT_EQ(StateOf(unnamed), 0);
  EXPECT_EQ(StateOf(named), 1);
}

TEST_F(RolesFromStores, AdoptAnUnexplainedValueAsAnUnnamedState) {
  const int32_t v = b_.Planned(1, 8, {4});
  Of();
  AdoptState(method_, roles_, v);
  EXPECT_EQ(RoleOf(v), Role::kState);
  EXPECT_EQ(roles_.states.at(static_cast<size_t>(StateOf(v))).place, (Place{1, 8, 24}));
}

TEST_F(RolesFromStores, AdoptAnUnexplainedValueWithItsInitialValue) {
  const int32_t v = b_.Planned(1, 8, {4});
  b_.TensorAt(v).data_index = 3;
  b_.method().text = "name";
  const int32_t first = b_.Planned(1, 8, {2, 2}, "name", ScalarType::kInt32);
  Of();
  AdoptState(method_, roles_, v);
  EXPECT_EQ(roles_.states.at(static_cast<size_t>(StateOf(v))).initial, 3);
  EXPECT_EQ(RoleOf(first), Role::kState);
}

TEST_F(UsageOfValues, TellsFirstAndLastTouch) {
  const int32_t x = b_.Planned(1, 0, {4});
  const int32_t y = b_.Planned(1, 16, {4});
  b_.Input(x);
  b_.Mul(x, x, y);
  b_.Mul(y, x, y);
  b_.Copy(y, x);
  b_.Output(y);
  Of();
  EXPECT_EQ(UsageOf(x).first_read, 0);
  EXPECT_EQ(UsageOf(x).last_read, 2);
  EXPECT_EQ(UsageOf(x).first_write, -1);
  EXPECT_EQ(UsageOf(y).first_read, 1);
  EXPECT_EQ(UsageOf(y).first_write, 0);
  EXPECT_EQ(UsageOf(y).last_write, 2);
  EXPECT_TRUE(UsageOf(y).written_as_out);
  EXPECT_TRUE(UsageOf(y).written_in_place);
  EXPECT_TRUE(UsageOf(y).is_output);
  EXPECT_FALSE(UsageOf(y).exposed());
}

TEST_F(UsageOfValues, CallsAValueExposedThatIsReadBeforeItIsMade) {
  const int32_t early = b_.Planned(1, 0, {4});
  const int32_t late = b_.Planned(1, 16, {4});
  const int32_t returned = b_.Planned(1, 32, {4});
  const int32_t untouched = b_.Planned(1, 48, {4});
  b_.Mul(early, early, late);
  b_.Mul(late, late, early);
  b_.Output(returned);
  Of();
  EXPECT_TRUE(UsageOf(early).exposed());
  EXPECT_FALSE(UsageOf(late).exposed());
  EXPECT_TRUE(UsageOf(returned).exposed());
  EXPECT_FALSE(UsageOf(untouched).exposed());
  EXPECT_FALSE(UsageOf(untouched).touched());
}

TEST_F(UsageOfValues, CountsAMoveAsAReadOfItsSource) {
  const int32_t from = b_.Planned(1, 0, {4});
  const int32_t to = b_.Planned(1, 16, {4});
  b_.Move(from, to);
  Of();
  EXPECT_EQ(UsageOf(from).first_read, 0);
  EXPECT_EQ(UsageOf(to).first_write, 0);
  EXPECT_TRUE(UsageOf(to).renamed);
}

TEST_F(UsageOfValues, TellsWhatIsFilledInParts) {
  const int32_t all = b_.Planned(1, 0, {4, 4});
  const int32_t one = b_.Planned(1, 64, {4});
  b_.Call("executorch_prim::et_copy_index.tensor", {all, one, b_.Int(0)});
  Of();
  EXPECT_TRUE(UsageOf(all).filled);
  EXPECT_FALSE(UsageOf(one).filled);
}

}  // namespace
}  // namespace pteproof::meaning
