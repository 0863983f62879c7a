#include "meaning/place_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PlaceClassesOfMethod : public ::testing::Test {
 protected:
  PlaceClasses Of() {
    method_ = b_.Build();
    const Effects effects = EffectsOf(method_, nullptr);
    roles_ = RolesOf(method_, effects, ExporterOrderOf(method_, effects), nullptr);
    return {method_, roles_};
  }
  static std::vector<int32_t> List(std::span<const int32_t> values) {
    return {values.begin(), values.end()};
  }

  MethodBuilder b_;
  Method method_;
  Roles roles_;
};

TEST_F(PlaceClassesOfMethod, GroupValuesOfOnePlaceAndTypeInAscendingOrder) {
  const int32_t a = b_.Planned(1, 0, {4});
  b_.Planned(1, 16, {4});
  const int32_t b = b_.Planned(1, 0, {2, 2});
  const int32_t c = b_.Planned(1, 0, {4});
  EXPECT_THAT(List(Of().Of(b)), ElementsAre(a, b, c));
}

TEST_F(PlaceClassesOfMethod, KeepApartOtherTypesSizesOffsetsAndBanks) {
  const int32_t a = b_.Planned(1, 0, {4});
  b_.Planned(1, 0, {4}, {}, ScalarType::kInt32);
  b_.Planned(1, 0, {3});
  b_.Planned(1, 4, {4});
  b_.Planned(2, 0, {4});
  EXPECT_THAT(List(Of().Of(a)), ElementsAre(a));
}

TEST_F(PlaceClassesOfMethod, HaveNoClassForWhatIsNotPlannedOrHasNoBytes) {
  const int32_t unplanned = b_.Unplanned({4});
  const int32_t empty = b_.Planned(1, 0, {0});
  const int32_t number = b_.Int(3);
  const PlaceClasses classes = Of();
  EXPECT_THAT(List(classes.Of(unplanned)), IsEmpty());
  EXPECT_THAT(List(classes.Of(empty)), IsEmpty());
  EXPECT_THAT(List(classes.Of(number)), IsEmpty());
}

TEST_F(PlaceClassesOfMethod, FindWhatStartsAtAnOffsetAndEndsInTime) {
  const int32_t whole = b_.Planned(1, 8, {4});
  const int32_t half = b_.Planned(1, 8, {2});
  b_.Planned(1, 16, {2});
  b_.Planned(1, 0, {4});
  b_.Planned(2, 8, {2});
  const PlaceClasses classes = Of();
  EXPECT_THAT(List(classes.StartingAt(1, 8, 24)), ElementsAre(half, whole));
  EXPECT_THAT(List(classes.StartingAt(1, 8, 23)), ElementsAre(half));
  EXPECT_THAT(List(classes.StartingAt(1, 12, 64)), IsEmpty());
}

}  // namespace
}  // namespace pteproof::meaning
