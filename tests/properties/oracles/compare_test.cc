#include "properties/oracles/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pteproof {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TensorValue Row(ScalarType dtype, const std::vector<double>& values) {
  TensorValue t = Zeros(dtype, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) SetReal(t, static_cast<int64_t>(i), values[i]);
  return t;
}

// What is said of two outputs; "" when they agree.
std::string Difference(const Datum& expected, const Datum& got,
                       std::optional<Tolerance> tolerance = std::nullopt, bool values = true) {
  return FirstDifference(std::vector{expected}, std::vector{got}, tolerance, values).value_or("");
}

bool Agree(ScalarType dtype, double expected, double got) {
  return Difference(Row(dtype, {0, expected}), Row(dtype, {0, got})).empty();
}

bool Agree(const Datum& expected, const Datum& got) {
  return Difference(expected, got).empty();
}

TEST(Comparison, AllowsFloat32AndFloat64OnePartInTenThousand) {
  for (const ScalarType type : {ScalarType::kFloat32, ScalarType::kFloat64}) {
    EXPECT_TRUE(Agree(type, 1, 1.000109));
    EXPECT_FALSE(Agree(type, 1, 1.000111));
    EXPECT_TRUE(Agree(type, -1000, -1000.1));
    EXPECT_FALSE(Agree(type, -1000, -1000.11));
    EXPECT_TRUE(Agree(type, 0, 0.9e-5));
    EXPECT_FALSE(Agree(type, 0, 1.1e-5));
  }
}

TEST(Comparison, AllowsFloat16FourPartsInAThousand) {
  EXPECT_TRUE(Agree(ScalarType::kFloat16, 1, 1 + 5.0 / 1024));
  EXPECT_FALSE(Agree(ScalarType::kFloat16, 1, 1 + 6.0 / 1024));
}

TEST(Comparison, AllowsBFloat16ThreePartsInAHundred) {
  EXPECT_TRUE(Agree(ScalarType::kBFloat16, 1, 1 + 5.0 / 128));
  EXPECT_FALSE(Agree(ScalarType::kBFloat16, 1, 1 + 6.0 / 128));
}

TEST(Comparison, IsExactForIntegersAndBool) {
  for (const ScalarType type : {ScalarType::kUInt8, ScalarType::kInt8, ScalarType::kInt16,
                                ScalarType::kInt32, ScalarType::kInt64, ScalarType::kUInt16}) {
    EXPECT_TRUE(Agree(type, 100, 100));
    EXPECT_FALSE(Agree(type, 100, 101));
  }
  EXPECT_TRUE(Agree(ScalarType::kBool, 1, 1));
  EXPECT_FALSE(Agree(ScalarType::kBool, 1, 0));
}

TEST(Comparison, TellsInt64ApartThatAFloatDoesNot) {
  TensorValue a = Zeros(ScalarType::kInt64, {1});
  TensorValue b = a;
  SetInt(a, 0, (int64_t{1} << 60) + 1);
  SetInt(b, 0, int64_t{1} << 60);
  EXPECT_EQ(Difference(a, b),
            "output 0 element 0: expected 1152921504606846977, got 1152921504606846976");
}

TEST(Comparison, BoundsBothPartsOfComplexNumbers) {
  TensorValue a = Zeros(ScalarType::kComplex64, {1});
  TensorValue b = a;
  SetComplex(a, 0, {1, 2});
  SetComplex(b, 0, {1.00005, 2.0001});
  EXPECT_EQ(Difference(a, b), "");
  SetComplex(b, 0, {1, -2});
  EXPECT_EQ(Difference(a, b), "output 0 element 0: expected 1+2i, got 1-2i");
}

TEST(Comparison, TakesNaNForNaNOnly) {
  EXPECT_TRUE(Agree(ScalarType::kFloat32, kNaN, kNaN));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, kNaN, 1));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, 1, kNaN));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, HUGE_VAL, kNaN));
}

TEST(Comparison, TakesAnInfinityForTheSameOnly) {
  EXPECT_TRUE(Agree(ScalarType::kFloat32, HUGE_VAL, HUGE_VAL));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, HUGE_VAL, -HUGE_VAL));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, HUGE_VAL, 3e38));
  EXPECT_FALSE(Agree(ScalarType::kFloat32, 3e38, HUGE_VAL));
}

TEST(Comparison, DisregardsTheSignOfZero) {
  EXPECT_TRUE(Agree(ScalarType::kFloat32, 0.0, -0.0));
  EXPECT_TRUE(Agree(ScalarType::kFloat16, -0.0, 0.0));
  EXPECT_TRUE(Difference(Row(ScalarType::kFloat64, {0.0}), Row(ScalarType::kFloat64, {-0.0}),
                         Tolerance{0, 0})
                  .empty());
}

TEST(Comparison, MeasuresByTheExpectedNumber) {
  const Tolerance half{0.5, 0};
  EXPECT_EQ(Difference(Row(ScalarType::kFloat32, {2}), Row(ScalarType::kFloat32, {3}), half), "");
  EXPECT_EQ(Difference(Row(ScalarType::kFloat32, {1}), Row(ScalarType::kFloat32, {2}), half),
            "output 0 element 0: expected 1, got 2 (bound 0 + 0.5 * |expected|)");
}

TEST(Comparison, TakesAnotherToleranceForFloats) {
  const TensorValue a = Row(ScalarType::kFloat32, {1});
  const TensorValue b = Row(ScalarType::kFloat32, {1.25});
  EXPECT_NE(Difference(a, b), "");
  EXPECT_EQ(Difference(a, b, Tolerance{0, 0.25}), "");
  EXPECT_NE(Difference(a, b, Tolerance{0, 0.125}), "");
}

TEST(Comparison, IsExactForIntegersWhateverTheTolerance) {
  EXPECT_NE(Difference(Row(ScalarType::kInt32, {1}), Row(ScalarType::kInt32, {2}), Tolerance{9, 9}),
            "");
}

TEST(Comparison, CountsStepsFromOneNumberToTheNext) {
  const Tolerance two = {.ulp = 2};
  const auto differ = [&](ScalarType type, double expected, double got) {
    return !Difference(Row(type, {expected}), Row(type, {got}), two).empty();
  };
  EXPECT_FALSE(differ(ScalarType::kFloat32, 1, 1 + 2 * 0x1p-23));
  EXPECT_TRUE(differ(ScalarType::kFloat32, 1, 1 + 3 * 0x1p-23));
  EXPECT_FALSE(differ(ScalarType::kFloat64, -1, -1 - 2 * 0x1p-52));
  EXPECT_TRUE(differ(ScalarType::kFloat64, -1, -1 - 3 * 0x1p-52));
  EXPECT_FALSE(differ(ScalarType::kFloat16, 1, 1 + 2 * 0x1p-10));
  EXPECT_TRUE(differ(ScalarType::kFloat16, 1, 1 + 3 * 0x1p-10));
  EXPECT_FALSE(differ(ScalarType::kBFloat16, 1, 1 + 2 * 0x1p-7));
  // Over zero: the least numbers of both signs are two steps apart.
  EXPECT_FALSE(differ(ScalarType::kFloat32, 0x1p-149, -0x1p-149));
  EXPECT_TRUE(differ(ScalarType::kFloat32, 0x1p-149, -0x1p-148));
  EXPECT_FALSE(differ(ScalarType::kInt32, 7, 9));
  EXPECT_TRUE(differ(ScalarType::kInt32, 7, 10));
  EXPECT_TRUE(differ(ScalarType::kBool, 0, 1));
}

TEST(Comparison, IsNearToInfinityAndNanOnlyWithThem) {
  const Tolerance many = {.ulp = 1'000'000};
  const double largest = std::numeric_limits<float>::max();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(
      Difference(Row(ScalarType::kFloat32, {largest}), Row(ScalarType::kFloat32, {infinity}), many),
      "");
  EXPECT_NE(
      Difference(Row(ScalarType::kFloat32, {infinity}), Row(ScalarType::kFloat32, {NAN}), many),
      "");
}

TEST(Comparison, MayBeRelativeToTheLargestNumberOfTheTensor) {
  const Tolerance thousandth = {.of_largest = 1e-3};
  const TensorValue expected = Row(ScalarType::kFloat32, {0.5, -100});
  EXPECT_EQ(Difference(expected, Row(ScalarType::kFloat32, {0.59, -100.09}), thousandth), "");
  EXPECT_EQ(Difference(expected, Row(ScalarType::kFloat32, {0.75, -100}), thousandth),
            "output 0 element 0: expected 0.5, got 0.75 (bound 0 + 0 * |expected|, or 0.1)");
  // Infinity is no measure.
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(Difference(Row(ScalarType::kFloat32, {1, infinity}),
                       Row(ScalarType::kFloat32, {2, infinity}), thousandth),
            "");
}

TEST(Comparison, MayAllowOneCodeOfQuantisedNumbers) {
  const Tolerance code = {.codes = 1, .code_distance = 0.5};
  for (const ScalarType type : {ScalarType::kInt8, ScalarType::kUInt8}) {
    EXPECT_EQ(Difference(Row(type, {100}), Row(type, {101}), code), "");
    EXPECT_EQ(Difference(Row(type, {100}), Row(type, {102}), code),
              "output 0 element 0: expected 100, got 102 (bound 1)");
  }
  EXPECT_NE(Difference(Row(ScalarType::kInt64, {1}), Row(ScalarType::kInt64, {2}), code), "");
  EXPECT_NE(Difference(Row(ScalarType::kBool, {0}), Row(ScalarType::kBool, {1}), code), "");
  EXPECT_EQ(Difference(Row(ScalarType::kFloat32, {1}), Row(ScalarType::kFloat32, {1.5}), code), "");
  EXPECT_NE(Difference(Row(ScalarType::kFloat32, {1}), Row(ScalarType::kFloat32, {1.6}), code), "");
}

TEST(Comparison, MayAddToTheBoundsOfTheType) {
  const Tolerance by_type = {.by_type = true, .of_largest = 1e-3};
  EXPECT_EQ(Difference(Row(ScalarType::kFloat16, {1}), Row(ScalarType::kFloat16, {1 + 5.0 / 1024}),
                       by_type),
            "");
  EXPECT_EQ(Difference(Row(ScalarType::kFloat32, {1, 10}), Row(ScalarType::kFloat32, {1.009, 10}),
                       by_type),
            "");
  EXPECT_NE(Difference(Row(ScalarType::kInt64, {1000}), Row(ScalarType::kInt64, {1001}), by_type),
            "");
}

TEST(Comparison, NamesTheFirstElementThatDiffers) {
  EXPECT_EQ(Difference(Row(ScalarType::kInt8, {1, 2, 3, 4}), Row(ScalarType::kInt8, {1, 2, 5, 6})),
            "output 0 element 2: expected 3, got 5");
}

TEST(Comparison, WantsTheSameTypesAndSizes) {
  EXPECT_EQ(Difference(Row(ScalarType::kInt32, {1}), Row(ScalarType::kInt64, {1})),
            "output 0: expected int32, got int64");
  EXPECT_EQ(Difference(Zeros(ScalarType::kInt32, {2, 3}), Zeros(ScalarType::kInt32, {3, 2})),
            "output 0: expected sizes [2, 3], got [3, 2]");
  EXPECT_NE(Difference(Zeros(ScalarType::kInt32, {}), Zeros(ScalarType::kInt32, {1})), "");
}

TEST(Comparison, OfShapesLeavesValuesOut) {
  const auto shapes = [](const Datum& expected, const Datum& got) {
    return Difference(expected, got, std::nullopt, false);
  };
  EXPECT_EQ(shapes(Row(ScalarType::kInt8, {1, 2}), Row(ScalarType::kInt8, {3, 4})), "");
  EXPECT_NE(shapes(Row(ScalarType::kInt8, {1, 2}), Row(ScalarType::kInt8, {1})), "");
  EXPECT_NE(shapes(Row(ScalarType::kInt8, {1}), Row(ScalarType::kUInt8, {1})), "");
  EXPECT_EQ(shapes(int64_t{1}, int64_t{2}), "");
  EXPECT_EQ(shapes(1.0, 2.0), "");
  EXPECT_NE(shapes(int64_t{1}, 1.0), "");
}

TEST(Comparison, OfNumbersTellsKindsApart) {
  EXPECT_TRUE(Agree(int64_t{1}, int64_t{1}));
  EXPECT_EQ(Difference(int64_t{1}, int64_t{2}), "output 0: expected 1, got 2");
  EXPECT_EQ(Difference(int64_t{1}, true), "output 0: expected 1, got true");
  EXPECT_EQ(Difference(Datum(), int64_t{1}), "output 0: expected None, got 1");
  EXPECT_TRUE(Agree(Datum(), Datum()));
  EXPECT_TRUE(Agree(std::string("a"), std::string("a")));
  EXPECT_FALSE(Agree(std::string("a"), std::string("b")));
  EXPECT_EQ(Difference(Row(ScalarType::kInt8, {1}), int64_t{1}),
            "output 0: expected a tensor, got 1");
}

TEST(Comparison, OfDoublesIsThatOfFloat64) {
  EXPECT_TRUE(Agree(1.0, 1.00005));
  EXPECT_FALSE(Agree(1.0, 1.0005));
  EXPECT_TRUE(Agree(kNaN, kNaN));
}

TEST(Comparison, CountsOutputs) {
  const std::vector<Datum> one = {int64_t{1}};
  const std::vector<Datum> two = {int64_t{1}, int64_t{2}};
  EXPECT_EQ(FirstDifference(one, two, std::nullopt, true), "expected 1 outputs, got 2");
  const std::vector<Datum> other = {int64_t{1}, int64_t{3}};
  EXPECT_EQ(FirstDifference(two, other, std::nullopt, true), "output 1: expected 2, got 3");
}

// ExecuTorch gave 1 and PyTorch 2.
RecordedCall OneAndTwo(std::optional<Truth> truth) {
  RecordedCall call;
  call.executorch = {int64_t{1}};
  call.eager = {int64_t{2}};
  call.truth = truth;
  return call;
}

std::string AgainstTruth(std::optional<Truth> truth, int64_t got) {
  return DifferenceFromTruth(OneAndTwo(truth), std::vector<Datum>{got}, std::nullopt).value_or("");
}

TEST(Truths, SayWhichRecordingCounts) {
  EXPECT_EQ(AgainstTruth(Truth::kExecutorch, 1), "");
  EXPECT_EQ(AgainstTruth(Truth::kExecutorch, 2), "output 0: expected 1, got 2");
  EXPECT_EQ(AgainstTruth(Truth::kEager, 2), "");
  EXPECT_EQ(AgainstTruth(Truth::kEager, 1), "output 0: expected 2, got 1");
}

TEST(Truths, MayAdmitEitherRecording) {
  EXPECT_EQ(AgainstTruth(Truth::kEither, 1), "");
  EXPECT_EQ(AgainstTruth(Truth::kEither, 2), "");
  EXPECT_EQ(AgainstTruth(Truth::kEither, 3), "output 0: expected 1, got 3");
}

TEST(Truths, MayBeShapesOrNothing) {
  EXPECT_EQ(AgainstTruth(Truth::kShape, 3), "");
  EXPECT_EQ(AgainstTruth(Truth::kSkip, 3), "");
  RecordedCall call = OneAndTwo(Truth::kShape);
  call.executorch.reset();
  EXPECT_EQ(DifferenceFromTruth(call, std::vector<Datum>{1.0}, std::nullopt),
            "output 0: expected 2, got 1");
}

TEST(Truths, AreExecutorchsWhereNoneIsStated) {
  EXPECT_EQ(AgainstTruth(std::nullopt, 1), "");
  EXPECT_NE(AgainstTruth(std::nullopt, 2), "");
}

TEST(Truths, NeedARecording) {
  RecordedCall call;
  for (const Truth truth : {Truth::kExecutorch, Truth::kEager, Truth::kEither, Truth::kShape}) {
    call.truth = truth;
    EXPECT_EQ(DifferenceFromTruth(call, {}, std::nullopt),
              "the recording has no value to compare with");
  }
}

RecordedCall Recorded(std::vector<Datum> executorch, std::vector<Datum> eager) {
  RecordedCall call;
  call.executorch = std::move(executorch);
  call.eager = std::move(eager);
  return call;
}

TEST(RecordedSides, SayWhichOfTwoOutputsAResultEquals) {
  const RecordedCall call = Recorded({int64_t{3}}, {int64_t{4}});
  const auto sides = [&](int64_t got) {
    return SidesOf(call, std::vector<Datum>{got}, std::nullopt).value();
  };
  EXPECT_TRUE(sides(3).executorch && !sides(3).eager);
  EXPECT_TRUE(sides(4).eager && !sides(4).executorch);
  EXPECT_TRUE(!sides(5).executorch && !sides(5).eager);
}

TEST(RecordedSides, MayBothBeWithinTheBounds) {
  const RecordedCall call = Recorded({1.00008}, {0.99992});
  const auto sides = SidesOf(call, std::vector<Datum>{1.0}, std::nullopt);
  ASSERT_TRUE(sides.has_value());
  EXPECT_TRUE(sides->executorch && sides->eager);
  const Tolerance wider = {1e-3, 0};
  EXPECT_FALSE(SidesOf(call, std::vector<Datum>{1.0}, wider).has_value());
}

TEST(RecordedSides, AreNoneWhereTheRecordedOutputsAgreeOrOneIsMissing) {
  const std::vector<Datum> got = {int64_t{3}};
  EXPECT_FALSE(SidesOf(Recorded({int64_t{3}}, {int64_t{3}}), got, std::nullopt).has_value());
  RecordedCall one_sided = Recorded({int64_t{3}}, {int64_t{4}});
  one_sided.eager.reset();
  EXPECT_FALSE(SidesOf(one_sided, got, std::nullopt).has_value());
  EXPECT_FALSE(SidesOf(RecordedCall(), got, std::nullopt).has_value());
}

}  // namespace
}  // namespace pteproof
