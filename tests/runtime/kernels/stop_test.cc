// Kernels that go over one long row many times ask for the stop while they do: as often as the
// elements that they pass, whatever part of them was taken as work before.
#include "base/stop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/kernels/base/call_work.h"
#include "tests/support/called_kernel.h"

namespace pteproof {
namespace {

TEST(CallWorkTest, AsksAgainAfterEachShareThatPasses) {
  CallWork work;
  for (int64_t i = 0; i < 3 * CallWork::kShare; ++i) work.Pass();
  EXPECT_EQ(work.questions(), 3);
  int64_t elements = 0;
  int64_t next = 0;
  work.InPieces(5 * CallWork::kShare / 2, [&](int64_t first, int64_t count) {
    EXPECT_EQ(first, next);
    EXPECT_LE(count, CallWork::kShare);
    next = first + count;
    elements += count;
  });
  EXPECT_EQ(elements, 5 * CallWork::kShare / 2);
  EXPECT_EQ(work.questions(), 5);
}

TEST(CallWorkTest, EndsWithinAShareOfTheWish) {
  std::atomic<bool> stop = false;
  const WorksFor flag(&stop);
  CallWork work;
  int64_t passed = 0;
  EXPECT_THROW(
      {
        for (;; ++passed) {
          stop = passed >= 10;
          work.Pass();
        }
      },
      Stopped);
  EXPECT_LE(passed, CallWork::kShare);
}

struct LongRow {
  std::string_view name;
  std::vector<Argument> args;
  std::vector<TensorType> types;
  int64_t passes;  // of the row of 2^18, at least
};

// One row, and nothing but it: what is asked while it is loaded and stored is little.
TEST(LongRows, AreAskedAboutInEveryPass) {
  constexpr int64_t kLength = int64_t{1} << 18;
  TensorValue row = Zeros(ScalarType::kFloat32, {1, kLength});
  for (int64_t i = 0; i < kLength; ++i) SetReal(row, i, static_cast<double>(i * 7919 % kLength));
  const TensorType same = {ScalarType::kFloat32, {1, kLength}};
  const TensorType places = {ScalarType::kInt64, {1, kLength}};
  const TensorType one = {ScalarType::kFloat32, {1, 1}};
  const TensorValue vectors = Zeros(ScalarType::kFloat32, {1, 1, 1, kLength});
  const std::vector<LongRow> rows = {
      {"aten::sort.values", {&row, int64_t{1}, false}, {same, places}, 16},
      {"aten::topk.values", {&row, kLength, int64_t{1}, true, true}, {same, places}, 16},
      {"llama::fast_hadamard_transform.out", {&row}, {same}, 18},
      {"aten::_cdist_forward.out", {&row, &row, 3.0, std::monostate()}, {one}, 1},
      {"llama::custom_sdpa.out",
       {&vectors, &vectors, &vectors, int64_t{0}, std::monostate(), 0.0, false, std::monostate()},
       {{ScalarType::kFloat32, {1, 1, 1, kLength}}},
       2},
  };
  for (const LongRow& of : rows) {
    int64_t questions = 0;
    const auto called = CallKernel(of.name, of.args, of.types, {}, &questions);
    ASSERT_TRUE(called.ok()) << of.name << ": " << called.error();
    EXPECT_GE(questions, of.passes * kLength / CallWork::kShare) << of.name;
  }
}

}  // namespace
}  // namespace pteproof
