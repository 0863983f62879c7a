#include "properties/storages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pteproof/check.h"
#include "tests/support/collection.h"
#include "tests/support/method_builder.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;

// "v1+v2 [lo,hi) 0..3 5..6" per storage.
std::vector<std::string> TextsOf(const Method& method) {
  std::vector<std::string> texts;
  const auto planned = StoragesOf(method);
  for (const PlannedStorage& storage : planned->storages) {
    std::string text;
    for (const int32_t v : storage.values) text += (text.empty() ? "v" : "+v") + std::to_string(v);
    text += " [" + std::to_string(storage.lo) + "," + std::to_string(storage.hi) + ")";
    for (const PointSpan& s : storage.live) {
      text += " " + std::to_string(s.lower) + ".." + std::to_string(s.upper);
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(Storages, LiveFromTheWriteThroughTheLastRead) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 32, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Mul(y, y, z);  // 1
  b.Output(z);
  EXPECT_THAT(TextsOf(b.Build()),
              ElementsAre("v0 [0,16) -1..2", "v1 [16,32) 1..4", "v2 [32,48) 3..4"));
}

TEST(Storages, HoldAnOperandAndTheResultThatTakesItsBytes) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 0, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Output(y);
  EXPECT_THAT(TextsOf(b.Build()), ElementsAre("v0+v1 [0,16) -1..2"));
}

TEST(Storages, AreTwoWhereBytesAreUsedAgainLater) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t z = b.Planned(1, 0, {4});
  b.Input(x);
  b.Mul(x, x, y);  // 0
  b.Mul(y, y, z);  // 1
  b.Output(z);
  EXPECT_THAT(TextsOf(b.Build()),
              ElementsAre("v0 [0,16) -1..2", "v1 [16,32) 1..4", "v2 [0,16) 3..4"));
}

TEST(Storages, LiveForAPointWhereNobodyReadsThem) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t unread = b.Planned(1, 32, {4});
  b.Input(x);
  b.Input(unread);
  b.Mul(x, x, y);  // 0
  EXPECT_THAT(TextsOf(b.Build()),
              ElementsAre("v0 [0,16) -1..2", "v1 [16,32) 1..2", "v2 [32,48) -1..0"));
}

// Largest sum of storages at a point, rounded as `check` rounds.
uint64_t LargestSum(const PlannedStorages& planned, uint32_t bank) {
  std::map<int64_t, int64_t> change;
  for (const PlannedStorage& storage : planned.storages) {
    if (storage.bank != bank) continue;
    const uint64_t a = planned.alignment;
    const auto bytes = static_cast<int64_t>((storage.hi - storage.lo + a - 1) / a * a);
    for (const PointSpan& span : storage.live) {
      change[span.lower] += bytes;
      change[span.upper] -= bytes;
    }
  }
  int64_t sum = 0;
  int64_t largest = 0;
  for (const auto& [point, bytes] : change) largest = std::max(largest, sum += bytes);
  return static_cast<uint64_t>(largest);
}

class RealStorages : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RealStorages, AddUpToTheLoadThatCheckTells) {
  size_t banks = 0;
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const Report report = CheckReal(*file, false);
    const bool is_sound = std::ranges::none_of(
        report.findings, [](const Finding& f) { return f.severity == Severity::kError; });
    if (!is_sound) continue;
    for (const BankUse& use : report.banks) {
      const auto method = std::ranges::find(file->program->methods, use.method, &Method::name);
      const auto planned = StoragesOf(*method);
      ASSERT_TRUE(planned.has_value());
      const uint64_t sum = LargestSum(*planned, use.bank);
      SCOPED_TRACE(file->name + " " + use.method + ":" + std::to_string(use.bank));
      EXPECT_EQ(sum, use.load);
      ++banks;
    }
  }
  EXPECT_GT(banks, 100U);
}

INSTANTIATE_TEST_SUITE_P(Own, RealStorages, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealStorages,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof
