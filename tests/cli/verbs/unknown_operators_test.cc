// Operators that no run can make are told before anything is loaded or computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string WrittenBytes(const Program& program) {
  const auto bytes = WriteProgram(program);
  return {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()};
}

// The first instruction cannot be made, whatever the inputs are: its operands do not fit together.
Method MisfitThen(const std::string& op) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t three = b.Planned(1, 16, {3});
  b.Input(three);
  const int32_t y = b.Planned(1, 32, {4});
  b.Add(x, three, y);
  const int32_t z = b.Planned(1, 48, {4});
  b.Call(op, {y, z, z});
  b.Output(z);
  return b.Build();
}

TEST(UnknownOperators, AreToldBeforeAnyInstructionRuns) {
  const TempFolder folder;
  const std::string file =
      folder.Write("unknown.pte", WrittenBytes(ProgramOf({MisfitThen("my::op")})));
  const std::vector<std::vector<std::string>> modes = {
      {}, {"--mode", "private-storage"}, {"--mode", "tagged"}};
  for (const std::vector<std::string>& mode : modes) {
    std::vector<std::string> arguments = {"run", file};
    arguments.insert(arguments.end(), mode.begin(), mode.end());
    const CommandResult result = RunCommand(arguments);
    EXPECT_EQ(result.exit_code, 3) << result.out;
    EXPECT_THAT(result.out, HasSubstr("my::op"));
  }
}

TEST(UnknownOperators, AreNoneInAProgramOfKnownOnes) {
  const TempFolder folder;
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 16, {4});
  b.Add(x, x, y);
  b.Output(y);
  const std::string file = folder.Write("known.pte", WrittenBytes(ProgramOf({b.Build()})));
  for (const std::string mode : {"planned", "private-storage", "tagged"}) {
    const CommandResult result = RunCommand({"run", file, "--mode", mode});
    EXPECT_EQ(result.exit_code, 0) << result.out;
    EXPECT_THAT(result.out, Not(HasSubstr("unknown")));
  }
}

// No call of `eval` need reach an operator behind a jump.
TEST(UnknownOperators, BehindAJumpAreToldWhenACallReachesThem) {
  const TempFolder folder;
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t jump = b.JumpFalse(b.Bool(false), 0);
  b.Call("my::op", {x, y, y});
  b.SetTarget(jump, b.Next());
  b.Add(x, x, y);
  b.Output(y);
  const std::string file = folder.Write("jump.pte", WrittenBytes(ProgramOf({b.Build()})));
  EXPECT_EQ(RunCommand({"run", file, "--mode", "private-storage"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"run", file}).exit_code, 3);
}

}  // namespace
}  // namespace pteproof
