#include "meaning/method_meaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One fact of how a method uses its states, by state.
template <class Fact>
std::vector<Fact> All(const MethodMeaning& method, Fact StateUse::* fact) {
  std::vector<Fact> all;
  for (const StateUse& use : method.state_uses) all.push_back(use.*fact);
  return all;
}

TEST(MethodMeaning, TakesAMethodWithoutCode) {
  const Analysed a{MethodBuilder()};
  EXPECT_TRUE(a.check.walk.complete);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
}

TEST(MethodMeaning, TellsWhichStateIsReadAndWhichStored) {
  MethodBuilder b;
  const int32_t read = b.Planned(2, 0, {4}, "read");
  const int32_t stored = b.Planned(2, 16, {4}, "stored");
  b.Planned(2, 32, {4}, "idle");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Mul(read, x, b.Planned(1, 16, {4}));  // 0
  b.Copy(stored, x);                      // 1
  const Analysed a(b);
  EXPECT_THAT(All(a.check, &StateUse::written), ElementsAre(false, true, false));
  EXPECT_THAT(All(a.check, &StateUse::reader), ElementsAre(0, -1, -1));
}

TEST(MethodMeaning, DoesNotCountAStoreThatCannotBeReached) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.JumpFalse(b.Bool(false), 2);
  b.Copy(cache, x);
  b.Mul(x, x, b.Planned(1, 16, {4}));
  EXPECT_THAT(All(Analysed(b).check, &StateUse::written), ElementsAre(false));
}

TEST(MethodMeaning, CountsAStoreThroughAViewOfTheState) {
  MethodBuilder b;
  b.Planned(2, 0, {4}, "cache");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t view = b.Planned(2, 0, {4}, "cache");
  b.IndexPut(view, b.Constant(1, {1}, ScalarType::kInt64), x);
  for (uint64_t i = 1; i < 6; ++i) b.Mul(x, x, b.Planned(1, 16 * i, {4}));
  EXPECT_THAT(All(Analysed(b).check, &StateUse::written), ElementsAre(true));
}

TEST(MethodMeaning, AdoptsWhatNothingMadeAndNothingExplainsAsState) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t v = b.Planned(1, 64, {4});
  b.Mul(v, x, b.Planned(1, 128, {4}));
  const Analysed a(b);
  EXPECT_EQ(a.check.roles.of[static_cast<size_t>(v)], Role::kState);
  EXPECT_THAT(All(a.check, &StateUse::reader), ElementsAre(0));
  EXPECT_THAT(a.check.unmade, IsEmpty());
}

TEST(MethodMeaning, TellsWhichStateIsStoredOntoItself) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {4}, "cache");
  b.Planned(2, 16, {4}, "other");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.Mul(x, x, b.Planned(1, 16, {4}));
  b.Copy(cache, cache);
  const Analysed a(b);
  EXPECT_THAT(All(a.check, &StateUse::self_copy), ElementsAre(1, -1));
  EXPECT_THAT(All(a.check, &StateUse::written), ElementsAre(false, false));
}

// What a store to the buffer itself reads of it is no use of its value.
TEST(MethodMeaning, TellsWhichStateIsReadForAnotherUseThanItsOwnStore) {
  const auto used = [](auto&& use) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    b.Input(x);
    const int32_t cache = b.Planned(2, 0, {4}, "cache");
    use(b, cache, x);
    const Analysed a(b);
    return All(a.check, &StateUse::read_inside);
  };
  const auto put = [](MethodBuilder& b, int32_t cache, int32_t x) {
    b.IndexPut(cache, b.Constant(1, {1}, ScalarType::kInt64), x);
  };
  const auto idle = [](MethodBuilder&, int32_t, int32_t) {};
  const auto sum = [](MethodBuilder& b, int32_t cache, int32_t x) { b.Mul(cache, x, x); };
  const auto moved = [](MethodBuilder& b, int32_t cache, int32_t) {
    b.Move(cache, b.Unplanned({4}));
  };
  const auto returned = [](MethodBuilder& b, int32_t cache, int32_t) { b.Output(cache); };
  const auto to_another = [](MethodBuilder& b, int32_t cache, int32_t) {
    b.Copy(b.Planned(2, 16, {4}, "other"), cache);
  };
  EXPECT_THAT(used(idle), ElementsAre(false));
  EXPECT_THAT(used(put), ElementsAre(false));
  EXPECT_THAT(used(sum), ElementsAre(true));
  EXPECT_THAT(used(moved), ElementsAre(true));
  EXPECT_THAT(used(returned), ElementsAre(true));
  EXPECT_THAT(used(to_another), ElementsAre(true, false));
}

TEST(MethodMeaning, TakesAJumpForAUseOfItsCondition) {
  MethodBuilder b;
  const int32_t flag = b.Planned(2, 0, {}, "flag", ScalarType::kBool);
  b.JumpFalse(flag, 1);
  EXPECT_THAT(All(Analysed(b).check, &StateUse::read_inside), ElementsAre(true));
}

}  // namespace
}  // namespace pteproof::meaning
