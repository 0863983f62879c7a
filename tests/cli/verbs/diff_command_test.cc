#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

// Adds its input to a buffer, in bytes from `offset` on.
Method AddsAt(uint64_t offset, const std::string& name) {
  MethodBuilder b(name);
  const int32_t state = b.Planned(1, 0, {4}, "state");
  const int32_t x = b.Planned(1, offset, {4});
  b.Input(x);
  const int32_t sum = b.Planned(1, offset + 16, {4});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

// Writes into the first bytes of the bank.
Method Overwrites() {
  MethodBuilder b("encode");
  const int32_t x = b.Planned(1, 64, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 0, {4});
  b.Add(x, x, y);
  b.Output(y);
  return b.Build();
}

Method ReturnsANumber(const std::string& name) {
  MethodBuilder b(name);
  b.Output(b.Int(1));
  return b.Build();
}

std::string SavedProgram(const TempFolder& folder, std::vector<Method> methods) {
  const auto bytes = WriteProgram(ProgramOf(std::move(methods)));
  return folder.Write("model.pte",
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

int64_t Lines(const std::string& text) {
  return std::ranges::count(text, '\n');
}

TEST(DiffCommand, ComparesAProgramWithOneMethodOnce) {
  const TempFolder folder;
  const std::string file = SavedProgram(folder, {AddsAt(16, "forward")});
  const CommandResult result = RunCommand({"diff", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(Lines(result.out), 1) << result.out;
  EXPECT_THAT(result.out, HasSubstr("under every policy"));
  EXPECT_THAT(RunCommand({"diff", file, "--policy", "share-all"}).out,
              HasSubstr("under share-all"));
}

TEST(DiffCommand, ComparesSeveralMethodsUnderEachPolicyAndCountsTheirPairs) {
  const TempFolder folder;
  const std::string file = SavedProgram(folder, {AddsAt(16, "a"), AddsAt(48, "b")});
  const CommandResult result = RunCommand({"diff", file});
  EXPECT_EQ(Lines(result.out), 3) << result.out;
  EXPECT_THAT(result.out,
              HasSubstr("1 of 1 pairs of methods that share bytes were called in both orders"));
}

// Whatever the seed is, and however many methods return constants.
TEST(DiffCommand, FindsAClobberedBufferAmongMethodsThatReturnConstants) {
  const TempFolder folder;
  std::vector<Method> methods = {AddsAt(16, "decode"), Overwrites()};
  for (int m = 0; m < 12; ++m) methods.push_back(ReturnsANumber("get_" + std::to_string(m)));
  const std::string file = SavedProgram(folder, std::move(methods));
  for (int seed = 0; seed < 20; ++seed) {
    const CommandResult result = RunCommand({"diff", file, "--policy", "share-all", "--sequences",
                                             "3", "--seed", std::to_string(seed)});
    EXPECT_EQ(result.exit_code, 1) << seed << result.out;
  }
}

TEST(DiffCommand, GoesOnForAsLongAsAsked) {
  const TempFolder folder;
  const std::string file = SavedProgram(folder, {AddsAt(16, "forward")});
  const CommandResult result = RunCommand({"diff", file, "--time", "0.2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(RunCommand({"diff", file, "--time", "1", "--sequences", "2"}).exit_code, 64);
}

}  // namespace
}  // namespace pteproof
