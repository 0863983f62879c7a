// Every verb that runs out of memory says so and ends with 70: it has no verdict. Sanitizers hold
// address spaces that no limit leaves room for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

#if !PTEPROOF_SANITIZED

namespace pteproof {
namespace {

using ::testing::HasSubstr;

// forward(): a vector of 480 MB, in the program's bank.
std::string HalfAGigabyte() {
  constexpr int32_t kMany = 120'000'000;
  MethodBuilder b;
  const int32_t out = b.Planned(1, 0, {kMany});
  b.Call("aten::full.out", {b.IntList({b.Int(kMany)}), b.Int(1), out, out});
  b.Output(out);
  const auto file = WriteProgram(ProgramOf({b.Build()})).value();
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

constexpr const char* kOneCall =
    R"({"program": "m.pte", "sequences": [{"calls": [{"method": "forward", "inputs": [],
        "eager": null, "executorch": null, "truth": "skip"}]}]})";

class OutOfMemoryTest : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(OutOfMemoryTest, IsToldAndIsNotAVerdict) {
  const TempFolder folder;
  std::vector<std::string> words = {"--as=400000000", PTEPROOF_COMMAND};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  words.push_back(folder.Write("m.pte", HalfAGigabyte()));
  folder.Write("calls.json", kOneCall);
  const CommandResult result = RunCommand(words, "/dev/null", "prlimit");
  EXPECT_EQ(result.exit_code, 70) << result.out;
  EXPECT_THAT(result.err, HasSubstr("out of memory"));
  EXPECT_EQ(result.out, "");
}

INSTANTIATE_TEST_SUITE_P(Verbs, OutOfMemoryTest,
                         testing::Values(std::vector<std::string>{"run"},
                                         std::vector<std::string>{"run", "--semantics", "hash"},
                                         std::vector<std::string>{"run", "--mode", "tagged"},
                                         std::vector<std::string>{"run", "--mode",
                                                                  "private-storage"},
                                         std::vector<std::string>{"eval"},
                                         std::vector<std::string>{"diff", "--policy", "private"}));

// A bank beyond the limit is told with its size, the limit, and the flag that sets another.
TEST(MemoryLimitTest, ABankBeyondItIsToldByRunsAndByTheirComparison) {
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", HalfAGigabyte());
  const CommandResult run = RunCommand({"run", file});
  EXPECT_EQ(run.exit_code, 70);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("bank 1 would take 480000000 bytes"),
                    HasSubstr("the limit for all is 402653184 (`pteproof run --memory` sets")));
  const CommandResult diff = RunCommand({"diff", file});
  EXPECT_EQ(diff.exit_code, 70);
  EXPECT_EQ(diff.err, run.err);
  EXPECT_EQ(diff.out, "");
}

// The limit itself is no reason: what needs little memory goes on.
TEST(MemoryLimitTest, ACheckOfTheSameProgramNeedsLittle) {
  const TempFolder folder;
  const CommandResult result = RunCommand(
      {"--as=400000000", PTEPROOF_COMMAND, "check", folder.Write("m.pte", HalfAGigabyte())},
      "/dev/null", "prlimit");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

}  // namespace
}  // namespace pteproof

#endif
