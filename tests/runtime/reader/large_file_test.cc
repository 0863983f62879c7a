// Programs with a great many of everything are read whole. Their memory is measured in
// tests/allocations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/file_rules.h"
#include "runtime/same_program.h"
#include "tests/support/counts.h"
#include "tests/support/large_programs.h"

namespace pteproof {
namespace {

// Sanitized, a fifth of it takes as long.
const int32_t kMillion = IsCampaign() ? 1'000'000 : 200'000;
const int32_t kThousands = IsCampaign() ? 10'000 : 2'000;

void ExpectReadWhole(const Program& program) {
  const auto file = WriteProgram(program);
  ASSERT_TRUE(file.ok()) << file.error();
  const auto read = ReadProgram(file.value());
  ASSERT_TRUE(read.ok()) << read.error().front().explanation;
  EXPECT_TRUE(SameProgram(read.value(), program));
}

TEST(LargeFile, OfAMillionValuesIsReadWhole) {
  ExpectReadWhole(ProgramOf({ManyValues(kMillion)}));
}

TEST(LargeFile, OfManyTensorsAndInstructionsIsReadWhole) {
  ExpectReadWhole(ProgramOf({LongChain(kMillion / 4)}));
}

TEST(LargeFile, OfListsOfAMillionItemsIsReadWhole) {
  ExpectReadWhole(ProgramOf({HugeLists(kMillion)}));
}

TEST(LargeFile, OfTenThousandMethodsIsReadWhole) {
  ExpectReadWhole(ManyMethods(kThousands));
}

TEST(LargeFile, OfAHundredThousandJumpsIsReadWhole) {
  ExpectReadWhole(ProgramOf({ForwardJumps(kMillion / 10)}));
  ExpectReadWhole(ProgramOf({NestedLoops(kMillion / 10)}));
}

// A list of 5000 tensors and 5000 calls: the file is small, what it says is not.
TEST(LargeFile, IsRefusedWhereManyCallsAreGivenOneLongList) {
  const auto file = WriteProgram(ProgramOf({SharedList(5000, 5000)}));
  ASSERT_TRUE(file.ok());
  const auto read = ReadProgram(file.value());
  ASSERT_FALSE(read.ok());
  ASSERT_EQ(read.error().size(), 1U);
  EXPECT_EQ(read.error().front().rule, rule::kFileAmplification);
  const auto fewer = WriteProgram(ProgramOf({SharedList(500, 1000)}));
  EXPECT_TRUE(ReadProgram(fewer.value()).ok());
}

}  // namespace
}  // namespace pteproof
