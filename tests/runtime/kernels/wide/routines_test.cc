// Each set of loops beside plain ones in double: those for any processor, and those for this one.
#include "runtime/kernels/wide/routines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace pteproof::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class RoutinesTest : public testing::TestWithParam<const Routines*> {
 protected:
  [[nodiscard]] const Routines& routines() const { return *GetParam(); }
};

std::vector<const Routines*> RoutinesHere() {
  std::vector<const Routines*> here = {&PlainRoutines()};
  if (Avx2Routines() != nullptr) here.push_back(Avx2Routines());
  return here;
}

INSTANTIATE_TEST_SUITE_P(Wide, RoutinesTest, testing::ValuesIn(RoutinesHere()),
                         [](const auto& info) {
                           return std::string(info.param == &PlainRoutines() ? "Plain" : "Avx2");
                         });

std::vector<float> RandomFloats(int64_t count, float least, float most) {
  static std::mt19937 random(1);
  std::uniform_real_distribution<float> distribution(least, most);
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = distribution(random);
  return numbers;
}

const std::byte* BytesOf(const std::vector<float>& numbers) {
  return reinterpret_cast<const std::byte*>(numbers.data());
}

struct SmallProduct {
  std::vector<float> right;
  int64_t columns = 0;
  std::vector<float> out;
};

void FetchSmall(const void* context, int64_t column, int64_t columns, int64_t width, float* panel) {
  const auto& product = *static_cast<const SmallProduct*>(context);
  const auto rows = static_cast<int64_t>(product.right.size()) / product.columns;
  for (int64_t k = 0; k < rows; ++k) {
    for (int64_t c = 0; c < columns; ++c) {
      panel[k * width + c] = product.right[static_cast<size_t>(k * product.columns + column + c)];
    }
  }
}

void PutSmall(const void* context, const ProductTile& tile) {
  auto& product = *const_cast<SmallProduct*>(static_cast<const SmallProduct*>(context));
  for (int64_t r = 0; r < tile.rows; ++r) {
    for (int64_t c = 0; c < tile.columns; ++c) {
      const int64_t at = (tile.row + r) * product.columns + tile.column + c;
      product.out[static_cast<size_t>(at)] += tile.sums[r * tile.stride + c];
    }
  }
}

TEST_P(RoutinesTest, MultiplyTilesOfEverySize) {
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 12, 13}) {
    for (const int64_t columns : {1, 7, 8, 15, 16, 17, 33}) {
      for (const int64_t inner : {1, 2, 31}) {
        const auto left = RandomFloats(rows * inner, -1, 1);
        SmallProduct product = {RandomFloats(inner * columns, -1, 1), columns, {}};
        product.out.assign(static_cast<size_t>(rows * columns), 0);
        std::vector<float> panel(static_cast<size_t>(inner * routines().width));
        ProductJob job = {rows, columns, inner, BytesOf(left)};
        job.left_row = inner * 4;
        job.left_step = 4;
        job.context = &product;
        job.fetch = FetchSmall;
        job.put = PutSmall;
        job.panel = panel.data();
        routines().multiply(job);
        for (int64_t at = 0; at < rows * columns; ++at) {
          double sum = 0;
          for (int64_t k = 0; k < inner; ++k) {
            sum += double{left[static_cast<size_t>(at / columns * inner + k)]} *
                   product.right[static_cast<size_t>(k * columns + at % columns)];
          }
          ASSERT_NEAR(product.out[static_cast<size_t>(at)], sum, 1e-5)
              << rows << " x " << inner << " x " << columns << " at " << at;
        }
      }
    }
  }
}

TEST_P(RoutinesTest, WeighRowsOfEveryLength) {
  for (int64_t count = 0; count < 80; ++count) {
    std::vector<std::vector<float>> rows;
    std::vector<const std::byte*> starts;
    for (int t = 0; t < 5; ++t) rows.push_back(RandomFloats(count + 1, -1, 1));
    for (const auto& row : rows) starts.push_back(BytesOf(row));
    const auto factors = RandomFloats(5, -1, 1);
    const auto before = RandomFloats(count + 1, -1, 1);
    auto to = before;
    routines().weigh(starts.data(), factors.data(), 5, count, to.data());
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      double sum = before[i];
      for (size_t t = 0; t < 5; ++t) sum += double{factors[t]} * rows[t][i];
      ASSERT_NEAR(to[i], sum, 1e-5) << count << " at " << i;
    }
    EXPECT_EQ(to.back(), before.back());
  }
}

TEST_P(RoutinesTest, MultiplyNumbersAtAnyAddress) {
  for (int64_t count = 0; count < 80; ++count) {
    const auto a = RandomFloats(count, -1, 1);
    const auto b = RandomFloats(count, -1, 1);
    std::vector<std::byte> odd(a.size() * 4 + 1);
    if (count > 0) std::memcpy(odd.data() + 1, a.data(), a.size() * 4);
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
    ASSERT_NEAR(routines().dot(odd.data() + 1, BytesOf(b), count), sum, 1e-5) << count;
  }
}

// The largest error, relative to the result where that is no smaller than `least`.
double WorstError(MapRoutine routine, double (*exact)(double), float from, float to, double least) {
  auto numbers = RandomFloats(10'000, from, to);
  for (int i = -100; i <= 100; ++i) {
    numbers.push_back(from + (to - from) * static_cast<float>(i + 100) / 200);
  }
  std::vector<float> results(numbers.size());
  routine(numbers.data(), results.data(), static_cast<int64_t>(numbers.size()));
  double worst = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double wanted = exact(numbers[i]);
    worst = std::max(worst, std::abs(results[i] - wanted) / std::max(std::abs(wanted), least));
  }
  return worst;
}

double ExactSigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double ExactGelu(double x) {
  return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
}
double ExactGeluByTanh(double x) {
  return x * 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

TEST_P(RoutinesTest, GiveExponentialsAndWhatIsMadeOfThem) {
  constexpr double kLeast = std::numeric_limits<float>::min();
  EXPECT_LT(WorstError(routines().exp, std::exp, -87, 88, kLeast), 3e-7);
  EXPECT_LT(WorstError(routines().exp, std::exp, -110, -80, kLeast), 3e-7);
  EXPECT_LT(WorstError(routines().exp, std::exp, -1e-3F, 1e-3F, kLeast), 3e-7);
  EXPECT_LT(WorstError(routines().sigmoid, ExactSigmoid, -80, 80, kLeast), 5e-7);
  EXPECT_LT(WorstError(routines().tanh, std::tanh, -12, 12, kLeast), 5e-7);
  EXPECT_LT(WorstError(routines().tanh, std::tanh, -1, 1, kLeast), 5e-7);
  EXPECT_LT(WorstError(routines().gelu, ExactGelu, -8, 8, 1e-9), 2e-5);
  EXPECT_LT(WorstError(routines().gelu, ExactGelu, -1, 1, kLeast), 1e-6);
  EXPECT_LT(WorstError(routines().gelu_by_tanh, ExactGeluByTanh, -8, 8, 1e-6), 2e-5);
}

float One(MapRoutine routine, float x) {
  float result = 0;
  routine(&x, &result, 1);
  return result;
}

TEST_P(RoutinesTest, KeepTheEndsOfTheRange) {
  EXPECT_EQ(One(routines().exp, -kInfinity), 0);
  EXPECT_EQ(One(routines().exp, kInfinity), kInfinity);
  EXPECT_EQ(One(routines().exp, 1e30F), kInfinity);
  EXPECT_EQ(One(routines().exp, -1e30F), 0);
  EXPECT_EQ(One(routines().exp, 0), 1);
  EXPECT_EQ(One(routines().sigmoid, -kInfinity), 0);
  EXPECT_EQ(One(routines().sigmoid, kInfinity), 1);
  EXPECT_EQ(One(routines().tanh, -kInfinity), -1);
  EXPECT_EQ(One(routines().tanh, kInfinity), 1);
  EXPECT_EQ(One(routines().tanh, 0), 0);
  EXPECT_EQ(One(routines().gelu, kInfinity), kInfinity);
  for (const MapRoutine routine : {routines().exp, routines().sigmoid, routines().tanh,
                                   routines().gelu, routines().gelu_by_tanh}) {
    EXPECT_TRUE(std::isnan(One(routine, kNan)));
  }
}

TEST_P(RoutinesTest, FindTheLargestAndSumUpPowers) {
  EXPECT_EQ(routines().largest(nullptr, 0), -kInfinity);
  for (int64_t count = 1; count < 600; count += 7) {
    const auto numbers = RandomFloats(count, -5, 5);
    float largest = -kInfinity;
    double sum = 0;
    for (const float number : numbers) largest = std::max(largest, number);
    for (const float number : numbers) sum += std::exp(double{number} - double{largest});
    EXPECT_EQ(routines().largest(numbers.data(), count), largest);
    std::vector<float> powers(numbers.size());
    const double total = routines().exp_sum(numbers.data(), largest, powers.data(), count);
    ASSERT_NEAR(total, sum, 1e-6 * sum) << count;
    for (size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_NEAR(powers[i], std::exp(numbers[i] - largest), 1e-6);
    }
  }
}

}  // namespace
}  // namespace pteproof::kernels
