// Divisions and their kin at infinities, NaN, zeros of both signs and the ends of the integers: the
// reference and the kernel by themselves against values that IEEE 754 and PyTorch's documentation
// say.
#include <numbers>
#include <optional>

#include "tests/properties/oracles/kernels/drawn.h"

namespace pteproof {
namespace {

constexpr double kPi = std::numbers::pi;

// What both give; nothing where one refuses.
struct Both {
  std::optional<Evaluated> reference;
  std::optional<Evaluated> kernel;
};

Both BothOf(std::string_view op, const Operands& operands) {
  const OpSchema& schema = *FindOperator(op);
  const std::vector<Argument> args = ArgsOf<Argument>(operands);
  Both both;
  if (auto evaluated = Evaluate(schema, args); evaluated.ok()) {
    both.reference = std::move(evaluated).value();
  }
  std::vector<TensorType> types;
  if (auto found = ResultTypes(schema, args); found.ok()) types = std::move(found).value();
  if (auto called = CallKernel(op, args, types); called.ok()) {
    both.kernel = std::move(called).value();
  }
  return both;
}

bool IsSame(double got, double expected, double relative) {
  if (std::isnan(expected)) return std::isnan(got);
  if (expected == 0 || std::isinf(expected)) {
    return got == expected && std::signbit(got) == std::signbit(expected);
  }
  return std::fabs(got - expected) <= relative * std::fabs(expected);
}

struct Quotient {
  double a;
  double b;
  double expected;
};

// Element by element, of two tensors and of a tensor and numbers, in every float type.
void ExpectOfFloats(std::string_view op, std::string_view by_number,
                    const std::vector<Quotient>& table, const Operands& more = {}) {
  for (const ScalarType dtype : kFloats) {
    const double relative = dtype == ScalarType::kBFloat16 ? 1e-2 : 2e-3;
    for (const auto& [a, b, expected] : table) {
      for (const std::string_view name : {op, by_number}) {
        if (name.empty()) continue;
        // Long enough for loops that take several elements at a time.
        const std::vector<double> as(37, a);
        Operands operands = {Reals(dtype, {37}, as)};
        operands.emplace_back(name == op ? Operand(Reals(dtype, {}, {b})) : Operand(b));
        operands.insert(operands.end(), more.begin(), more.end());
        const Both both = BothOf(name, operands);
        for (const auto& given : {both.reference, both.kernel}) {
          ASSERT_TRUE(given) << name;
          const TensorValue& result = given->results.at(0);
          for (const int64_t i : {0, 36}) {
            EXPECT_TRUE(IsSame(RealAt(result, i), expected, relative))
                << name << " of " << Name(dtype) << " " << a << " and " << b << ": "
                << RealAt(result, i) << " for " << expected
                << (&given == &both.reference ? ", reference" : "");
          }
        }
      }
    }
  }
}

TEST(Remainder, OfAnInfinityIsNan) {
  ExpectOfFloats("aten::remainder.Tensor_out", "aten::remainder.Scalar_out",
                 {{kInf, 0.75, kNan},
                  {-kInf, 0.75, kNan},
                  {kInf, -2, kNan},
                  {kInf, kInf, kNan},
                  {-kInf, kInf, kNan},
                  {kNan, 2, kNan},
                  {2, kNan, kNan},
                  {1, 0, kNan},
                  {0, 0, kNan}});
}

TEST(Remainder, ByAnInfinityIsTheDividendOrTheInfinity) {
  ExpectOfFloats("aten::remainder.Tensor_out", "aten::remainder.Scalar_out",
                 {{5, kInf, 5},
                  {-5, kInf, kInf},
                  {5, -kInf, -kInf},
                  {-5, -kInf, -5},
                  {0, kInf, 0},
                  {-7, 3, 2},
                  {7, -3, -2},
                  {5.5, 2, 1.5}});
}

TEST(Fmod, KeepsTheDividendsSign) {
  ExpectOfFloats("aten::fmod.Tensor_out", "aten::fmod.Scalar_out",
                 {{kInf, 0.75, kNan},
                  {-kInf, -2, kNan},
                  {kInf, kInf, kNan},
                  {5, kInf, 5},
                  {-5, kInf, -5},
                  {5, -kInf, 5},
                  {-7, 3, -1},
                  {7, -3, 1},
                  {-6, 3, -0.0},
                  {1, 0, kNan},
                  {kNan, 1, kNan}});
}

// 2^24 - 1 is a multiple of 3, 2^53 - 1 is one more than one; the quotient overflows.
TEST(Remainder, OfTheGreatestFloatIsExact) {
  const std::vector<double> singles(26, 0x1.fffffep127);
  const std::vector<double> doubles(26, 0x1.fffffffffffffp1023);
  for (const std::string_view op : {"aten::remainder.Scalar_out", "aten::fmod.Scalar_out"}) {
    const Both single = BothOf(op, {Reals(ScalarType::kFloat32, {26}, singles), 0.75});
    EXPECT_EQ(RealsOf(single.reference->results[0]), std::vector<double>(26, 0));
    EXPECT_EQ(RealsOf(single.kernel->results[0]), std::vector<double>(26, 0));
    const Both wide = BothOf(op, {Reals(ScalarType::kFloat64, {26}, doubles), 0.75});
    EXPECT_EQ(RealsOf(wide.reference->results[0]), std::vector<double>(26, 0.5));
    EXPECT_EQ(RealsOf(wide.kernel->results[0]), std::vector<double>(26, 0.5));
  }
}

const std::vector<Quotient> kFloored = {
    {7, 2, 3},        {-7, 2, -4},    {7, -2, -4},     {1, 0, kInf},       {-1, 0, -kInf},
    {1, -0.0, -kInf}, {0, 0, kNan},   {kInf, 2, kNan}, {kInf, kInf, kNan}, {5, kInf, 0},
    {-5, kInf, -1},   {5, -kInf, -1}, {-5, -kInf, 0},  {kNan, 2, kNan},    {2, kNan, kNan},
    {-0.0, 2, -0.0},  {0, -2, -0.0}};

TEST(FloorDivide, GoesDownAndTurnsInfinitiesIntoNan) {
  ExpectOfFloats("aten::floor_divide.out", "", kFloored);
}

TEST(DivideFloor, IsFloorDivide) {
  ExpectOfFloats("aten::div.out_mode", "aten::div.Scalar_mode_out", kFloored, {"floor"});
}

TEST(DivideTrunc, GoesTowardsZero) {
  ExpectOfFloats("aten::div.out_mode", "aten::div.Scalar_mode_out",
                 {{7, 2, 3},
                  {-7, 2, -3},
                  {kInf, 2, kInf},
                  {-kInf, 2, -kInf},
                  {kInf, kInf, kNan},
                  {5, kInf, 0},
                  {-5, kInf, -0.0},
                  {-1, 2, -0.0},
                  {1, 0, kInf},
                  {0, 0, kNan}},
                 {"trunc"});
}

TEST(Divide, FollowsIeee) {
  const std::vector<Quotient> table = {
      {1, 0, kInf},        {-1, 0, -kInf}, {1, -0.0, -kInf}, {0, 0, kNan},    {kInf, 2, kInf},
      {kInf, -kInf, kNan}, {5, kInf, 0},   {-5, kInf, -0.0}, {kNan, 1, kNan}, {7, 2, 3.5}};
  ExpectOfFloats("aten::div.out", "aten::div.Scalar_out", table);
  ExpectOfFloats("aten::div.out_mode", "aten::div.Scalar_mode_out", table, {kNone});
}

// C's and IEEE's pow. PyTorch takes a square root for 0.5, which gives NaN for an infinity below 0.
TEST(Power, FollowsIeee) {
  ExpectOfFloats("aten::pow.Tensor_Tensor_out", "aten::pow.Tensor_Scalar_out",
                 {{0, -1, kInf},      {-0.0, -1, -kInf}, {-0.0, -2, kInf}, {kNan, 0, 1},
                  {1, kNan, 1},       {-1, kInf, 1},     {-1, -kInf, 1},   {0.5, kInf, 0},
                  {0.5, -kInf, kInf}, {2, kInf, kInf},   {2, -kInf, 0},    {-8, 0.25, kNan},
                  {-kInf, 3, -kInf},  {-kInf, -3, -0.0}, {-kInf, 2, kInf}, {-kInf, 0.5, kInf},
                  {kInf, -1, 0},      {kInf, 0, 1},      {0, 0, 1},        {kNan, 1, kNan}});
}

TEST(Angle, TellsZerosAndInfinitiesApart) {
  ExpectOfFloats("aten::atan2.out", "",
                 {{0, -0.0, kPi},
                  {-0.0, -0.0, -kPi},
                  {0, 0, 0},
                  {-0.0, 0, -0.0},
                  {kInf, kInf, kPi / 4},
                  {kInf, -kInf, 3 * kPi / 4},
                  {-kInf, -kInf, -3 * kPi / 4},
                  {1, kInf, 0},
                  {-1, kInf, -0.0},
                  {1, -kInf, kPi},
                  {kInf, 1, kPi / 2},
                  {kNan, 1, kNan},
                  {1, kNan, kNan}});
}

TEST(LargerAndSmaller, AreNanWhereEitherIs) {
  ExpectOfFloats("aten::maximum.out", "",
                 {{kNan, 1, kNan}, {1, kNan, kNan}, {-kInf, 1, 1}, {kInf, 1, kInf}});
  ExpectOfFloats("aten::minimum.out", "",
                 {{kNan, 1, kNan}, {1, kNan, kNan}, {-kInf, 1, -kInf}, {kInf, 1, 1}});
}

// --- Integers.

struct WholeQuotient {
  int64_t a;
  int64_t b;
  int64_t floored;
  int64_t remainder;
  int64_t truncated;
  int64_t fmod;
};

void ExpectWhole(std::string_view op, const TensorValue& a, const TensorValue& b, int64_t expected,
                 const Operands& more = {}) {
  Operands operands = {a, b};
  operands.insert(operands.end(), more.begin(), more.end());
  const Both both = BothOf(op, operands);
  for (const auto& given : {both.reference, both.kernel}) {
    ASSERT_TRUE(given) << op;
    EXPECT_EQ(IntAt(given->results.at(0), 0), expected)
        << op << " of " << Name(a.dtype) << " " << IntAt(a, 0) << " and " << IntAt(b, 0);
  }
}

TEST(WholeDivision, RoundsAndWrapsAtTheEnds) {
  for (const ScalarType dtype :
       {ScalarType::kInt8, ScalarType::kInt16, ScalarType::kInt32, ScalarType::kInt64}) {
    const auto bits = static_cast<int>(8 * ElementSize(dtype));
    const int64_t least = std::numeric_limits<int64_t>::min() >> (64 - bits);
    const int64_t most = -(least + 1);
    for (const WholeQuotient& q : {WholeQuotient{7, 2, 3, 1, 3, 1},
                                   {-7, 2, -4, 1, -3, -1},
                                   {7, -2, -4, -1, -3, 1},
                                   {-7, -2, 3, -1, 3, -1},
                                   {-6, 3, -2, 0, -2, 0},
                                   {least, -1, least, 0, least, 0},
                                   {least, 1, least, 0, least, 0},
                                   {most, -1, -most, 0, -most, 0},
                                   {least, most, -2, most - 1, -1, -1},
                                   {0, -5, 0, 0, 0, 0}}) {
      const TensorValue a = Ints(dtype, {1}, {q.a});
      const TensorValue b = Ints(dtype, {1}, {q.b});
      ExpectWhole("aten::floor_divide.out", a, b, q.floored);
      ExpectWhole("aten::div.out_mode", a, b, q.floored, {"floor"});
      ExpectWhole("aten::div.out_mode", a, b, q.truncated, {"trunc"});
      ExpectWhole("aten::remainder.Tensor_out", a, b, q.remainder);
      ExpectWhole("aten::fmod.Tensor_out", a, b, q.fmod);
    }
  }
}

TEST(WholeDivision, RefusesAZero) {
  for (const ScalarType dtype : {ScalarType::kUInt8, ScalarType::kInt8, ScalarType::kInt64}) {
    const TensorValue a = Ints(dtype, {2}, {4, 5});
    const TensorValue b = Ints(dtype, {2}, {1, 0});
    for (const auto& [op, operands] :
         {std::pair<std::string_view, Operands>{"aten::floor_divide.out", {a, b}},
          {"aten::remainder.Tensor_out", {a, b}},
          {"aten::remainder.Scalar_out", {a, 0}},
          {"aten::fmod.Scalar_out", {a, 0}},
          {"aten::div.out_mode", {a, b, "floor"}},
          {"aten::div.Scalar_mode_out", {a, 0, "trunc"}}}) {
      const Both both = BothOf(op, operands);
      EXPECT_FALSE(both.reference) << op;
      EXPECT_FALSE(both.kernel) << op;
    }
  }
}

TEST(WholePower, WrapsAndCutsFractions) {
  for (const auto& [base, exponent, power] : {std::array<int64_t, 3>{2, 62, int64_t{1} << 62},
                                              {2, 63, std::numeric_limits<int64_t>::min()},
                                              {2, 64, 0},
                                              {-3, 3, -27},
                                              {0, 0, 1},
                                              {1, -5, 1},
                                              {-1, -5, -1},
                                              {-1, -4, 1},
                                              {5, -1, 0}}) {
    ExpectWhole("aten::pow.Tensor_Tensor_out", Ints(ScalarType::kInt64, {1}, {base}),
                Ints(ScalarType::kInt64, {1}, {exponent}), power);
  }
}

// --- Numbers of a program.

void ExpectNumber(std::string_view op, const Operands& operands,
                  std::optional<ScalarResult> expected) {
  const Both both = BothOf(op, operands);
  for (const auto& given : {both.reference, both.kernel}) {
    ASSERT_EQ(given.has_value(), expected.has_value()) << op;
    if (!given) continue;
    ASSERT_EQ(given->scalar->index(), expected->index()) << op;
    const auto* real = std::get_if<double>(&*expected);
    if (real == nullptr) {
      EXPECT_EQ(given->scalar, expected) << op;
    } else {
      EXPECT_TRUE(IsSame(std::get<double>(*given->scalar), *real, 0)) << op;
    }
  }
}

TEST(NumberDivision, GoesDownAsPythonsDoes) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const std::string_view op :
       {"executorch_prim::floordiv.int", "executorch_prim::floordiv.Scalar"}) {
    ExpectNumber(op, {7, 2}, int64_t{3});
    ExpectNumber(op, {-7, 2}, int64_t{-4});
    ExpectNumber(op, {7, -2}, int64_t{-4});
    ExpectNumber(op, {kLeast, -1}, std::nullopt);
    ExpectNumber(op, {7, 0}, std::nullopt);
  }
  for (const std::string_view op : {"executorch_prim::mod.int", "executorch_prim::mod.Scalar"}) {
    ExpectNumber(op, {-7, 3}, int64_t{2});
    ExpectNumber(op, {7, -3}, int64_t{-2});
    ExpectNumber(op, {kLeast, -1}, std::nullopt);
    ExpectNumber(op, {7, 0}, std::nullopt);
  }
}

TEST(NumberDivision, OfFloatsFollowsIeee) {
  ExpectNumber("executorch_prim::floordiv.Scalar", {-7.5, 2.0}, -4.0);
  ExpectNumber("executorch_prim::floordiv.Scalar", {1.0, 0.0}, kInf);
  ExpectNumber("executorch_prim::floordiv.Scalar", {1.0, 0}, kInf);
  ExpectNumber("executorch_prim::floordiv.Scalar", {kInf, 2.0}, kNan);
  ExpectNumber("executorch_prim::floordiv.Scalar", {-5.0, kInf}, -1.0);
  ExpectNumber("executorch_prim::truediv.Scalar", {1, 0}, kInf);
  ExpectNumber("executorch_prim::truediv.Scalar", {0, 0}, kNan);
  ExpectNumber("executorch_prim::truediv.Scalar", {-1.0, kInf}, -0.0);
  ExpectNumber("executorch_prim::truediv.Scalar", {7, 2}, 3.5);
}

}  // namespace
}  // namespace pteproof
