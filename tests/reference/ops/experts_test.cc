#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMoe = "llama::quantized_moe_ffn.out";
constexpr int64_t kDim = 16;  // of tokens and of hidden vectors: one group of one tile's width

// Packed matrices of 8 bits, one for each expert, of `rows` rows of 16 columns; a row has a scale
// for all its columns. All codes are 0 but those set.
class PackedExperts {
 public:
  PackedExperts(int64_t experts, int64_t rows)
      : bytes_(Zeros(ScalarType::kUInt8, {experts, 64 + rows / 8 * kEightRows})) {}

  void Set(int64_t expert, int64_t row, int64_t column, int8_t code, float scale) {
    const int64_t block = 64 + row / 8 * kEightRows;
    const int64_t in_tile = column / 8 * 64 + row % 8 * 8 + column % 8;
    const int64_t start = expert * bytes_.sizes[1] + block;
    SetInt(bytes_, start + in_tile, code);
    std::memcpy(bytes_.bytes.data() + start + 128 + row % 8 * 4, &scale, sizeof(scale));
  }
  [[nodiscard]] const TensorValue& bytes() const { return bytes_; }

 private:
  static constexpr int64_t kEightRows = 128 + 64;
  TensorValue bytes_;
};

struct Moe {
  TensorValue x = Zeros(ScalarType::kFloat32, {1, kDim});
  TensorValue gate = Zeros(ScalarType::kFloat32, {3, kDim});
  TensorValue bias = Zeros(ScalarType::kFloat32, {0});
  PackedExperts w13{3, 2 * kDim};
  PackedExperts w2{3, kDim};
  int chosen = 1;
  int experts = 3;
  int hidden = kDim;
  int group = 16;
  int bits = 8;
  const char* score = "sigmoid";
  double scale = 1;

  [[nodiscard]] std::vector<Operand> Operands() const {
    return {x,           gate,       bias,
            w13.bytes(), w2.bytes(), chosen,
            experts,     hidden,     static_cast<int>(kDim),
            group,       bits,       score,
            scale};
  }
  [[nodiscard]] double First() const { return RealAt(ResultOf(kMoe, Operands()), 0); }
  [[nodiscard]] std::string Fault() const { return FaultOf(kMoe, Operands()); }
};

double Silu(double x) {
  return x / (1 + std::exp(-x));
}

// Token element 0 is 1. Expert e makes 2 of it, by 2 ^ e, into element 0.
Moe PowersOfTwo() {
  Moe moe;
  SetReal(moe.x, 0, 1);
  for (int64_t e = 0; e < 3; ++e) {
    moe.w13.Set(e, 0, 0, 2, 1);     // the half that goes through the sigmoid
    moe.w13.Set(e, kDim, 0, 1, 1);  // the other half
    moe.w2.Set(e, 0, 0, static_cast<int8_t>(1 << e), 1);
  }
  return moe;
}

TEST(Experts, AreChosenByTheGate) {
  Moe moe = PowersOfTwo();
  SetReal(moe.gate, 2 * kDim, 5);
  EXPECT_NEAR(moe.First(), 4 * Silu(2), 1e-6);
}

TEST(Experts, AreTheFirstOfEqualOnes) {
  EXPECT_NEAR(PowersOfTwo().First(), Silu(2), 1e-6);
}

TEST(Experts, AreMixedByTheirSigmoids) {
  Moe moe = PowersOfTwo();
  moe.chosen = 2;
  moe.scale = 3;
  const double high = 1 / (1 + std::exp(-1.0));
  SetReal(moe.gate, kDim, 1);
  // Experts 1 (sigmoid of 1) and 0 (sigmoid of 0).
  EXPECT_NEAR(moe.First(), Silu(2) * 3 * (2 * high + 0.5) / (high + 0.5), 1e-5);
}

TEST(Experts, AreMixedByTheSoftmaxOfTheChosen) {
  Moe moe = PowersOfTwo();
  moe.chosen = 2;
  moe.score = "softmax";
  moe.scale = 7;  // of sigmoids only
  SetReal(moe.gate, kDim, std::log(3.0));
  EXPECT_NEAR(moe.First(), Silu(2) * (3 * 2 + 1) / 4, 1e-5);
}

TEST(Experts, AreChosenWithTheBiasButWeighedWithout) {
  Moe moe = PowersOfTwo();
  moe.bias = Tensor<float>({3}, {0, 0, 9});
  EXPECT_NEAR(moe.First(), 4 * Silu(2), 1e-6);
}

TEST(Experts, TakeNaNScoresLast) {
  Moe moe = PowersOfTwo();
  SetReal(moe.gate, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_NEAR(moe.First(), 2 * Silu(2), 1e-6);
}

TEST(Experts, HaveAScaleForEachRow) {
  Moe moe = PowersOfTwo();
  moe.w2.Set(0, 0, 0, -3, 0.5F);
  EXPECT_NEAR(moe.First(), -1.5 * Silu(2), 1e-6);
}

TEST(Experts, OfFourBitsHoldTheFirst16CodesInTheLowHalves) {
  Moe moe = PowersOfTwo();
  moe.bits = 4;
  // All bytes 0x88: codes 0. Row 0 has the codes 0 to 7 of a tile, row 2 the codes 16 to 23.
  const auto zeros = [](int64_t rows) {
    auto t = Zeros(ScalarType::kUInt8, {3, 64 + rows / 8 * 128});
    const float one = 1;
    for (int64_t block = 0; block < rows / 8; ++block) {
      for (int64_t i = 0; i < 64; ++i) SetInt(t, 64 + block * 128 + i, 0x88);
      for (int64_t r = 0; r < 8; ++r) {
        std::memcpy(t.bytes.data() + 64 + block * 128 + 64 + r * 4, &one, sizeof(one));
      }
    }
    return t;
  };
  TensorValue w13 = zeros(2 * kDim);
  TensorValue w2 = zeros(kDim);
  SetInt(w13, 64, 0x8A);            // row 0, column 0: 2
  SetInt(w13, 64 + 2 * 128, 0x89);  // row 16, column 0: 1
  SetInt(w2, 64, 0x9B);             // row 0, column 0: 3; row 2, column 0: 1
  auto operands = moe.Operands();
  operands[3] = w13;
  operands[4] = w2;
  const auto result = RealsOf(ResultOf(kMoe, operands));
  EXPECT_NEAR(result[0], 3 * Silu(2), 1e-6);
  EXPECT_EQ(result[1], 0);
  EXPECT_NEAR(result[2], Silu(2), 1e-6);
}

TEST(Experts, OfNoTokensGiveNothing) {
  Moe moe;
  moe.x = Zeros(ScalarType::kFloat32, {0, kDim});
  EXPECT_EQ(ResultOf(kMoe, moe.Operands()).sizes, (Sizes{0, kDim}));
}

TEST(Experts, RefuseWhatDoesNotFit) {
  const auto fault = [](auto change) {
    Moe moe;
    change(moe);
    return moe.Fault();
  };
  EXPECT_EQ(fault([](Moe&) {}), "");
  EXPECT_THAT(fault([](Moe& m) { m.chosen = 0; }), HasSubstr("num_activated_experts"));
  EXPECT_THAT(fault([](Moe& m) { m.chosen = 4; }), HasSubstr("num_activated_experts"));
  EXPECT_THAT(fault([](Moe& m) { m.experts = 2; }), HasSubstr("num_experts"));
  EXPECT_THAT(fault([](Moe& m) { m.hidden = 32; }), HasSubstr("sufficient size"));
  EXPECT_THAT(fault([](Moe& m) { m.hidden = 0; }), HasSubstr("hidden_dim"));
  EXPECT_THAT(fault([](Moe& m) { m.group = 8; }), HasSubstr("group_size"));
  EXPECT_THAT(fault([](Moe& m) { m.group = 0; }), HasSubstr("group_size"));
  EXPECT_THAT(fault([](Moe& m) { m.bits = 5; }), HasSubstr("weight_nbit"));
  EXPECT_THAT(fault([](Moe& m) { m.score = "max"; }), HasSubstr("score_func"));
  EXPECT_THAT(fault([](Moe& m) { m.x = Zeros(ScalarType::kFloat64, {1, kDim}); }),
              HasSubstr("float32"));
  EXPECT_THAT(fault([](Moe& m) {
                m.bias = Zeros(ScalarType::kFloat32, {3});
                m.score = "softmax";
              }),
              HasSubstr("sigmoid only"));
}

}  // namespace
}  // namespace pteproof
