#include "properties/oracles/default_tolerance.h"

#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

// What a method of one call has, whose arguments do not matter.
Tolerance ToleranceWith(std::string_view op) {
  MethodBuilder b;
  b.Call(op, {});
  return DefaultTolerance(b.Build());
}

TEST(DefaultTolerance, IsThatOfTheTypeForElementsAlone) {
  for (const char* op : {"aten::add.out", "aten::exp.out", "aten::view_copy.out", "my::op"}) {
    const Tolerance tolerance = ToleranceWith(op);
    EXPECT_TRUE(tolerance.by_type) << op;
    EXPECT_EQ(tolerance.of_largest, 0) << op;
    EXPECT_EQ(tolerance.codes, 0) << op;
  }
}

TEST(DefaultTolerance, OfLongSumsIsRelativeToTheLargest) {
  for (const char* op : {"aten::mm.out", "aten::linear.out", "aten::convolution.out",
                         "aten::native_layer_norm.out", "llama::custom_sdpa.out"}) {
    EXPECT_GT(ToleranceWith(op).of_largest, 0) << op;
  }
}

TEST(DefaultTolerance, OfQuantisedNumbersIsOneCodeAndTheLargestScale) {
  MethodBuilder b;
  const int32_t codes = b.Planned(1, 0, {4}, {}, ScalarType::kInt8);
  const int32_t out = b.Planned(1, 16, {4});
  for (const double scale : {0.25, 0.5, 0.125}) {
    const int32_t number = b.Int(0);
    Value& value = b.method().values[static_cast<size_t>(number)];
    value.kind = ValueKind::kDouble;
    value.real = scale;
    b.Call("quantized_decomposed::dequantize_per_tensor.out",
           {codes, number, b.Int(0), b.Int(-128), b.Int(127), b.Int(1), b.None(), out, out});
  }
  const Tolerance tolerance = DefaultTolerance(b.Build());
  EXPECT_EQ(tolerance.codes, 1);
  EXPECT_EQ(tolerance.code_distance, 0.5);
}

TEST(DefaultTolerance, OfAnUnknownMethodIsThatOfTheTypes) {
  EXPECT_TRUE(DefaultTolerance(Program(), "forward").by_type);
}

}  // namespace
}  // namespace pteproof
