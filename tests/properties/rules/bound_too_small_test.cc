#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::AllOf;
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

TEST(BoundTooSmall, TellsOfADimWithoutUpperBound) {
  const Report report =
      CheckWith(SquareInput(Dynamism::kBounded), Admits(R"([{"min": 2, "max": null}, 4])"));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error bound-too-small forward v0 bank 1 [0,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kBoundTooSmall), HasSubstr("[4, 4]"));
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

// The explanation and the fix.
std::string WordsFor(Dynamism dynamism, std::string_view sizes) {
  const Report report = CheckWith(SquareInput(dynamism), Admits(sizes));
  return ExplanationOf(report, rule::kBoundTooSmall) + "\n" + FixOf(report, rule::kBoundTooSmall);
}

TEST(BoundTooSmall, TellsWhichInputsAStaticInputRefuses) {
  const auto of = [](std::string_view sizes) { return WordsFor(Dynamism::kStatic, sizes); };
  EXPECT_THAT(of("[4, 1]"),
              AllOf(HasSubstr("fixed sizes [4, 4]"), HasSubstr("admits the sizes [4, 1]"),
                    HasSubstr("refuses smaller inputs."),
                    HasSubstr("Export the input with the admitted sizes")));
  EXPECT_THAT(of("[4, 5]"), HasSubstr("refuses larger inputs."));
  EXPECT_THAT(of(R"([4, {"min": 4, "max": null}])"),
              AllOf(HasSubstr("admits the sizes [4, 4..]"), HasSubstr("refuses larger inputs.")));
  EXPECT_THAT(
      of(R"([{"min": 1, "max": 8}, 4])"),
      AllOf(HasSubstr("admits the sizes [1..8, 4]"), HasSubstr("refuses inputs of other sizes.")));
}

TEST(BoundTooSmall, TellsWhichInputsABoundedInputRefuses) {
  const auto of = [](std::string_view sizes) { return WordsFor(Dynamism::kBounded, sizes); };
  EXPECT_THAT(of(R"([{"min": 1, "max": null}, 4])"),
              AllOf(HasSubstr("bound [4, 4]"), HasSubstr("refuses larger inputs."),
                    HasSubstr("Give the dimension an upper bound")));
  EXPECT_THAT(of(R"([{"min": 1, "max": 5}, 4])"),
              AllOf(HasSubstr("refuses larger inputs."),
                    HasSubstr("upper bounds that cover the admitted sizes")));
}

TEST(BoundTooSmall, TellsOfAnotherRank) {
  for (const Dynamism dynamism : {Dynamism::kStatic, Dynamism::kBounded}) {
    EXPECT_THAT(WordsFor(dynamism, "[4]"),
                AllOf(HasSubstr("admits the sizes [4].\nThe runtime refuses inputs of that rank."),
                      HasSubstr("with as many dimensions as the model admits")));
  }
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
