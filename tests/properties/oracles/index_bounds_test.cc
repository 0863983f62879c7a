#include "properties/oracles/index_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "properties/oracles/random_inputs.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

std::vector<std::optional<int64_t>> BoundsOf(const MethodBuilder& b) {
  const Method method = b.Build();
  return IndexBounds(meaning::MeaningOf(method, nullptr));
}

using testing::ElementsAre;
using testing::Optional;

constexpr std::optional<int64_t> kNone = std::nullopt;

// Values of a method with a table of 10 rows, and an input of indices.
struct Lookup {
  MethodBuilder b;
  int32_t table = b.Planned(1, 0, {10, 4});
  int32_t in = b.Planned(1, 160, {2}, {}, ScalarType::kInt64);
  int32_t rows = b.Planned(1, 512, {2, 4});

  Lookup() { b.Input(in); }
  int32_t Integers(uint64_t offset) {
    return b.Planned(1, 1024 + offset, {2}, {}, ScalarType::kInt64);
  }
  void Embed(int32_t indices) {
    b.Call("aten::embedding.out",
           {table, indices, b.Int(-1), b.Bool(false), b.Bool(false), rows, rows});
  }
  [[nodiscard]] std::vector<std::optional<int64_t>> Bounds() const { return BoundsOf(b); }
};

TEST(IndexBounds, AreTheRowsOfAnEmbedding) {
  Lookup l;
  l.Embed(l.in);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(10)));
}

TEST(IndexBounds, AreTheSizesOfTheDimensionThatIsIndexed) {
  for (const auto& [dim, bound] : {std::pair<int64_t, int64_t>{0, 10}, {1, 4}, {-1, 4}, {-2, 10}}) {
    Lookup l;
    l.b.Call("aten::index_select.out", {l.table, l.b.Int(dim), l.in, l.rows, l.rows});
    EXPECT_THAT(l.Bounds(), ElementsAre(Optional(bound))) << dim;
  }
}

TEST(IndexBounds, OfAListAreTheSizesAtItsItemsPlaces) {
  Lookup l;
  const int32_t second = l.Integers(0);
  l.b.Input(second);
  const int32_t out = l.b.Planned(1, 2048, {2});
  l.b.Call("aten::index.Tensor_out", {l.table, l.b.OptionalTensorList({l.in, second}), out, out});
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(10), Optional(4)));
}

TEST(IndexBounds, OfPlacesThatAreWrittenTo) {
  Lookup l;
  l.b.IndexPut(l.table, l.in, l.rows);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(10)));
}

TEST(IndexBounds, AreFollowedThroughViewsAndCopies) {
  Lookup l;
  const int32_t row = l.b.Planned(1, 1024, {1, 2}, {}, ScalarType::kInt64);
  const int32_t copy = l.b.Planned(1, 1056, {1, 2}, {}, ScalarType::kInt64);
  const int32_t elided = l.b.Planned(1, 1056, {2}, {}, ScalarType::kInt64);
  l.b.Call("aten::view_copy.out", {l.in, l.b.IntList({l.b.Int(1), l.b.Int(2)}), row, row});
  l.b.Call("aten::clone.out", {row, l.b.None(), copy, copy});
  l.Embed(elided);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(10)));
}

TEST(IndexBounds, TakeWhatIsAddedInto) {
  Lookup l;
  const int32_t sum = l.Integers(0);
  l.b.Call("aten::add.Scalar_out", {l.in, l.b.Int(2), l.b.Int(1), sum, sum});
  l.Embed(sum);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(8)));
}

TEST(IndexBounds, OfPositionsLeaveRoomForTheRange) {
  Lookup l;
  const int32_t range = l.Integers(0);
  const int32_t sum = l.Integers(16);
  l.b.Call("aten::arange.out", {l.b.Int(2), range, range});
  l.b.Add(l.in, range, sum);
  l.Embed(sum);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(9)));
}

// start = item(position); cache[start : start + 3] is read.
TEST(IndexBounds, OfASlicesStartLeaveRoomForTheSlice) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {1, 16, 4}, "cache");
  const int32_t position = b.Planned(1, 0, {1}, {}, ScalarType::kInt64);
  const int32_t out = b.Planned(1, 16, {1, 3, 4});
  const int32_t start = b.Int(0);
  const int32_t end = b.Int(0);
  b.Input(position);
  b.Call("aten::_local_scalar_dense", {position, start});
  b.Call("executorch_prim::add.Scalar", {start, b.Int(3), end});
  b.Call("aten::slice_copy.Tensor_out", {cache, b.Int(1), start, end, b.Int(1), out, out});
  EXPECT_THAT(BoundsOf(b), ElementsAre(Optional(14)));
}

TEST(IndexBounds, OfACachesPositionLeaveRoomForTheNewRows) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {1, 16, 2, 4}, "cache");
  const int32_t value = b.Planned(1, 0, {1, 5, 2, 4});
  const int32_t position = b.Planned(1, 512, {1}, {}, ScalarType::kInt64);
  const int32_t out = b.Planned(1, 1024, {1});
  const int32_t start = b.Int(0);
  b.Input(value);
  b.Input(position);
  b.Call("aten::_local_scalar_dense", {position, start});
  b.Call("llama::update_cache.out", {value, cache, start, out, out});
  EXPECT_THAT(BoundsOf(b), ElementsAre(kNone, Optional(12)));
}

TEST(IndexBounds, TheSmallestOfSeveralCounts) {
  Lookup l;
  const int32_t small = l.b.Planned(1, 2048, {3, 4});
  l.Embed(l.in);
  l.b.Call("aten::index_select.out", {small, l.b.Int(0), l.in, l.rows, l.rows});
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(3)));
}

TEST(IndexBounds, OfALoopThatAddsToItsOwnIndexAreAtLeastOne) {
  Lookup l;
  const int32_t sum = l.Integers(0);
  const int32_t flag = l.b.Planned(1, 4096, {1}, {}, ScalarType::kBool);
  l.b.Input(flag);
  l.b.Call("aten::add.Scalar_out", {l.in, l.b.Int(1), l.b.Int(1), sum, sum});
  l.b.Move(sum, l.in);
  l.Embed(l.in);
  l.b.JumpFalse(flag, 0);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(1), kNone));
}

// forward(index, flag): a loop that adds `step` to the index of a table of 100,000,000 rows.
Lookup LoopBy(int64_t step, int64_t back = 0) {
  Lookup l;
  l.table = l.b.Planned(1, 0, {100'000'000, 1}, {}, ScalarType::kUInt8);
  const int32_t sum = l.Integers(0);
  const int32_t flag = l.b.Planned(1, 4096, {1}, {}, ScalarType::kBool);
  const int32_t one = l.b.Int(1);
  l.b.Input(flag);
  l.b.Call("aten::add.Scalar_out", {l.in, l.b.Int(step), one, sum, sum});
  if (back > 0) {
    const int32_t less = l.Integers(32);
    l.b.Call("aten::sub.Scalar_out", {sum, l.b.Int(back), one, less, less});
    l.b.Move(less, l.in);
  } else {
    l.b.Move(sum, l.in);
  }
  l.Embed(l.in);
  l.b.JumpFalse(flag, 0);
  return l;
}

// Without a limit the first takes 100,000,000 rounds.
TEST(IndexBounds, OfALoopOverManyRowsAreFoundAtOnce) {
  for (const int64_t step : {1, 2, 7, 1000, 99'999'999}) {
    EXPECT_THAT(LoopBy(step).Bounds(), ElementsAre(Optional(1), kNone)) << step;
  }
  EXPECT_THAT(LoopBy(3, 2).Bounds(), ElementsAre(Optional(1), kNone));
  EXPECT_THAT(LoopBy(3, 3).Bounds(), ElementsAre(Optional(100'000'000), kNone));
  EXPECT_THAT(LoopBy(3, 9).Bounds(), ElementsAre(Optional(100'000'000), kNone));
}

// What a loop's index is less 5 of has room for the 5 rows that the loop cannot reach.
TEST(IndexBounds, BesideALoopKeepTheirDistance) {
  Lookup l = LoopBy(1);
  const int32_t far = l.Integers(64);
  l.b.Input(far);
  l.b.Call("aten::sub.Scalar_out", {far, l.b.Int(5), l.b.Int(1), l.in, l.in});
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(1), kNone, Optional(6)));
}

TEST(IndexBounds, TakeNumbersAtTheEndsOfTheRange) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const int64_t number : {kMost, kLeast, kMost - 1, kLeast + 1, int64_t{-1}, int64_t{0}}) {
    for (const char* op : {"aten::add.Scalar_out", "aten::sub.Scalar_out"}) {
      Lookup l;
      const int32_t made = l.Integers(0);
      l.b.Call(op, {l.in, l.b.Int(number), l.b.Int(1), made, made});
      l.Embed(made);
      const auto bounds = l.Bounds();
      EXPECT_GE(bounds[0].value_or(1), 1) << op << number;
    }
    Lookup l;
    const int32_t made = l.Integers(0);
    l.b.Call("aten::mul.Scalar_out", {l.in, l.b.Int(number), made, made});
    l.Embed(made);
    EXPECT_GE(l.Bounds()[0].value_or(1), 1) << number;
  }
}

// A diamond in each of many rounds: paths are doubled by each of them.
TEST(IndexBounds, OfManyDiamondsAreFoundAtOnce) {
  Lookup l;
  const int32_t one = l.b.Int(1);
  int32_t last = l.in;
  for (int n = 0; n < 60; ++n) {
    const int32_t sum = l.Integers(0);
    const int32_t next = l.Integers(32);
    l.b.Call("aten::add.Scalar_out", {last, one, one, sum, sum});
    l.b.Call("aten::maximum.out", {last, sum, next, next});
    last = next;
  }
  l.table = l.b.Planned(1, 0, {1000, 1});
  l.Embed(last);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(940)));
}

// 1,000 calls that put together one list of 1,000 tensors.
TEST(IndexBounds, OfAListThatManyCallsShareAreFoundAtOnce) {
  constexpr int kMany = 1000;
  Lookup l;
  std::vector<int32_t> items = {l.in};
  for (int n = 1; n < kMany; ++n) items.push_back(l.Integers(0));
  const int32_t list = l.b.TensorList(items);
  const int32_t dim = l.b.Int(0);
  const int32_t all = l.Integers(32);
  for (int n = 0; n < kMany; ++n) {
    l.b.Call("aten::cat.out", {list, dim, all, all});
    l.b.Call("aten::split_copy.Tensor_out", {all, dim, dim, list, list});
  }
  l.Embed(all);
  EXPECT_THAT(l.Bounds(), ElementsAre(Optional(10)));
}

TEST(IndexBounds, ThereAreNoneOfWhatIsComputedWith) {
  Lookup l;
  l.b.Mul(l.in, l.in, l.Integers(0));
  EXPECT_THAT(l.Bounds(), ElementsAre(kNone));
}

TEST(RandomInputs, OfIndicesAreWithinWhatTheyIndex) {
  Lookup l;
  l.Embed(l.in);
  const Method method = l.b.Build();
  std::set<int64_t> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const auto tensor = std::get<TensorValue>(RandomInputs(method, random)[0]);
    for (int64_t i = 0; i < 2; ++i) seen.insert(IntAt(tensor, i));
  }
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 9);
}

TEST(RandomInputs, AreWithinTheRangeThatAManifestStates) {
  Lookup l;
  l.Embed(l.in);
  ManifestMethod stated;
  stated.inputs = {ManifestInput{.name = "ids", .sizes = {}, .range = DimRange{4, 5}}};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const auto tensor = std::get<TensorValue>(RandomInputs(l.b.Build(), random, &stated)[0]);
    EXPECT_THAT(IntAt(tensor, 0), testing::AnyOf(4, 5));
  }
}

TEST(AtBounds, RepeatsElementsUpToTheUpperBounds) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {5}, {}, ScalarType::kUInt8);
  b.TensorAt(in).dynamism = Dynamism::kBounded;
  b.Input(in);
  TensorValue given = Zeros(ScalarType::kUInt8, {2});
  SetInt(given, 0, 7);
  SetInt(given, 1, 8);
  const std::vector<Datum> inputs = {given};
  const auto raised = std::get<TensorValue>(AtBounds(b.Build(), inputs)[0]);
  EXPECT_THAT(raised.sizes, ElementsAre(5));
  EXPECT_EQ(IntAt(raised, 2), 7);
  EXPECT_EQ(IntAt(raised, 3), 8);
  EXPECT_EQ(IntAt(raised, 4), 7);
}

}  // namespace
}  // namespace pteproof
