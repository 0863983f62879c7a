#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "properties/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// One input of sizes [4, 4], bounded or static.
Program SquareInput(Dynamism dynamism) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4, 4});
  b.TensorAt(x).dynamism = dynamism;
  b.Input(x);
  const int32_t out = b.Planned(1, 64, {4, 4});
  b.TensorAt(out).dynamism = dynamism;
  b.Add(x, x, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

std::string Admits(std::string_view sizes) {
  return R"({"pteproof": 1, "methods": {"forward": {"inputs": [{"name": "x", "sizes": )" +
         std::string(sizes) + "}]}}}";
}

// Catalogue 43, 51.
TEST(BoundTooSmall, TellsOfADimWithoutUpperBound) {
  const Report report =
      CheckWith(SquareInput(Dynamism::kBounded), Admits(R"([{"min": 2, "max": null}, 4])"));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error bound-too-small forward v0 bank 1 [0,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(StoryOf(report, rule::kBoundTooSmall), HasSubstr("[4, 4]"));
}

TEST(BoundTooSmall, TellsOfARangeBeyondTheBound) {
  EXPECT_THAT(
      TroubleOf(CheckWith(SquareInput(Dynamism::kBounded), Admits(R"([{"min": 2, "max": 5}, 4])"))),
      ElementsAre("error bound-too-small forward v0 bank 1 [0,64)"));
}

TEST(BoundTooSmall, TellsOfARangeForAStaticInput) {
  EXPECT_THAT(
      TroubleOf(CheckWith(SquareInput(Dynamism::kStatic), Admits(R"([{"min": 2, "max": 4}, 4])"))),
      ElementsAre("error bound-too-small forward v0 bank 1 [0,64)"));
}

TEST(BoundTooSmall, IsSilentForARangeWithinTheBound) {
  EXPECT_THAT(
      TroubleOf(CheckWith(SquareInput(Dynamism::kBounded), Admits(R"([{"min": 0, "max": 4}, 4])"))),
      IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(SquareInput(Dynamism::kStatic), Admits("[4, 4]"))), IsEmpty());
}

TEST(BoundTooSmall, NeedsTheManifestsSizes) {
  EXPECT_THAT(LinesOf(Check(SquareInput(Dynamism::kBounded))), IsEmpty());
  EXPECT_THAT(TroubleOf(CheckWith(SquareInput(Dynamism::kBounded),
                                  R"({"pteproof": 1, "methods": {"forward":
                                      {"inputs": [{"name": "x"}]}}})")),
              IsEmpty());
}

TEST(BoundTooSmall, HoldsForUnplannedInputsToo) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({4});
  b.TensorAt(x).dynamism = Dynamism::kBounded;
  b.Input(x);
  const int32_t out = b.Planned(1, 0, {4});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(TroubleOf(CheckWith(ProgramOf({b.Build()}), Admits(R"([{"min": 1, "max": 8}])"))),
              ElementsAre("error bound-too-small forward v0"));
}

}  // namespace
}  // namespace pteproof
