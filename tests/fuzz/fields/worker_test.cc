// A fixed sample of mutants under all verbs; and what becomes of one that ends its process.
#include "fuzz/fields/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using fuzz::Buffer;
using fuzz::fields::Find;
using fuzz::fields::Limits;
using fuzz::fields::Listing;
using fuzz::fields::Outcome;
using fuzz::fields::Step;
using fuzz::fields::Trials;

Limits WithLog() {
  Limits limits;
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  limits.log = fs::path(testing::TempDir()) / ("pteproof-fields-" + name);
  return limits;
}

class FieldsSample : public testing::TestWithParam<const char*> {};

TEST_P(FieldsSample, BreaksNothing) {
  const Buffer file = ReadBytes(fs::path(PTEPROOF_CORPUS_DIR) / GetParam());
  const auto program = ReadProgram(file);
  ASSERT_TRUE(program.ok());
  const auto listing = Listing::Of(file);
  ASSERT_NE(listing, nullptr);
  Trials trials;
  trials.listing = listing.get();
  trials.original = &program.value();
  trials.range = {0, 0, 97};
  trials.found = [&](const Find& find) {
    ADD_FAILURE() << listing->At(find.number).text << ": " << GroupOf(find);
  };
  EXPECT_TRUE(TryAll(trials, WithLog()));
  EXPECT_EQ(trials.counts.Sum(), (listing->singles() + 96) / 97);
  EXPECT_GT(trials.counts.by_outcome[static_cast<size_t>(Outcome::kRan)], 0U);
}

INSTANTIATE_TEST_SUITE_P(Programs, FieldsSample,
                         testing::Values("seeds/program/bugs-old-value-returned.pte",
                                         "reports/viewout2/noio.pte"),
                         [](const auto& info) { return std::to_string(info.index); });

TEST(FieldsWorker, GoesOnBehindAMutantThatEndsItsProcess) {
  const Buffer file =
      ReadBytes(fs::path(PTEPROOF_CORPUS_DIR) / "seeds/program/bugs-old-value-returned.pte");
  const auto program = ReadProgram(file);
  ASSERT_TRUE(program.ok());
  const auto listing = Listing::Of(file);
  ASSERT_NE(listing, nullptr);
  // Every third in a way, told by its bytes.
  const auto breaks = [](Bytes mutant) { return fuzz::SeedOf(mutant) % 3 == 0; };
  const fuzz::fields::Range range = {0, 0, 97};
  std::vector<uint64_t> expected;
  listing->ForEach(range, [&](uint64_t number, Bytes mutant) {
    if (breaks(mutant)) expected.push_back(number);
    return true;
  });
  std::vector<uint64_t> found;
  Trials trials;
  trials.listing = listing.get();
  trials.original = &program.value();
  trials.range = range;
  trials.found = [&](const Find& find) {
    found.push_back(find.number);
    EXPECT_EQ(find.step, Step::kCheck);
    EXPECT_THAT(find.words, testing::ElementsAre("broken promise: nothing breaks: it does"));
  };
  trials.tries = [&](Bytes mutant, const Program*, const std::function<void(Step)>& begins) {
    begins(Step::kCheck);
    if (breaks(mutant)) fuzz::Fail("nothing breaks", "it does");
    return Outcome::kRefused;
  };
  EXPECT_TRUE(TryAll(trials, WithLog()));
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(found, expected);
  EXPECT_EQ(trials.counts.Sum(), (listing->singles() + 96) / 97);
}

}  // namespace
}  // namespace pteproof
