// The exit codes of `pteproof run`, `eval` and `diff` for calls that cannot be made, by the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string FileOf(std::vector<Method> methods) {
  const auto file = WriteProgram(ProgramOf(std::move(methods)));
  EXPECT_TRUE(file.ok()) << file.error();
  if (!file.ok()) return "";
  return {reinterpret_cast<const char*>(file.value().data()), file.value().size()};
}

// A verb on a program of these methods, without a recording.
CommandResult OnProgram(const std::string& verb, std::vector<Method> methods) {
  const TempFolder folder;
  return RunCommand({verb, folder.Write("a.pte", FileOf(std::move(methods)))});
}

// forward(x): x + x, by way of `between`, which is planned or not.
Method Sum(bool planned, std::string name = "forward") {
  MethodBuilder b(std::move(name));
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t between = planned ? b.Planned(1, 32, {4}) : b.Unplanned({4});
  const int32_t out = b.Planned(1, 16, {4});
  b.Input(x);
  b.Add(x, x, between);
  b.Add(x, x, out);
  b.Output(out);
  return b.Build();
}

// A jump on a bool tensor that the instruction after it would write.
Method JumpOnBool(bool planned) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {1});
  const int32_t condition =
      planned ? b.Planned(1, 32, {1}, {}, ScalarType::kBool) : b.Unplanned({1}, ScalarType::kBool);
  b.Input(x);
  b.JumpFalse(condition, 1);
  b.Call("aten::eq.Tensor_out", {x, x, condition, condition});
  b.Output(x);
  return b.Build();
}

// A list of tensors of which one is written only after the list was read.
Method Concatenation(bool planned) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t late = planned ? b.Planned(1, 64, {4}) : b.Unplanned({4});
  const int32_t out = b.Planned(1, 16, {8});
  b.Input(x);
  b.Call("aten::cat.out", {b.TensorList({x, late}), b.Int(0), out, out});
  b.Add(x, x, late);
  b.Output(out);
  return b.Build();
}

// Jumps to itself for ever: nothing makes the condition true.
Method Endless(std::string name = "forward") {
  MethodBuilder b(std::move(name));
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  b.JumpFalse(b.Bool(false), 0);
  b.Output(x);
  return b.Build();
}

// x at the square of index i, which is random: out of range but for a small chance. Inputs of
// products are not drawn with a look at what the product indexes.
Method Select() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t index = b.Planned(1, 16, {1}, {}, ScalarType::kInt64);
  const int32_t square = b.Planned(1, 24, {1}, {}, ScalarType::kInt64);
  const int32_t out = b.Planned(1, 32, {1});
  b.Input(x);
  b.Input(index);
  b.Mul(index, index, square);
  b.Call("aten::index_select.out", {x, b.Int(0), square, out, out});
  b.Output(out);
  return b.Build();
}

Method Delegated(bool planned) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t made = planned ? b.Planned(1, 32, {4}) : b.Unplanned({4});
  b.Input(x);
  b.Delegate({x, made});
  b.Output(x);
  return b.Build();
}

struct UnplacedCase {
  std::string_view name;
  Method (*make)(bool planned);
};

void PrintTo(const UnplacedCase& unplaced, std::ostream* out) {
  *out << unplaced.name;
}

class WithoutMemory : public testing::TestWithParam<UnplacedCase> {};

// Every loader ends there, so no verb takes such a program.
TEST_P(WithoutMemory, IsToldByEveryVerb) {
  for (const char* verb : {"run", "diff", "check", "prove"}) {
    const CommandResult result = OnProgram(verb, {GetParam().make(false)});
    EXPECT_EQ(result.exit_code, 2) << verb << result.out << result.err;
    EXPECT_THAT(result.out + result.err, HasSubstr("file-tensor-memory")) << verb;
    EXPECT_THAT(result.out + result.err, HasSubstr("has no memory")) << verb;
  }
}

TEST_P(WithoutMemory, IsTheReasonAndNothingElse) {
  for (const char* verb : {"run", "diff"}) {
    const CommandResult result = OnProgram(verb, {GetParam().make(true)});
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("no memory")));
    EXPECT_THAT(result.out, Not(HasSubstr("fails")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tensor, WithoutMemory,
    testing::Values(UnplacedCase{"result", [](bool planned) { return Sum(planned); }},
                    UnplacedCase{"item", Concatenation}, UnplacedCase{"condition", JumpOnBool}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(CallsNotMade, OneMethodWithoutMemoryFailsAllOfTheProgram) {
  for (const char* verb : {"run", "diff"}) {
    const CommandResult result = OnProgram(verb, {Sum(true, "sound"), Sum(false, "broken")});
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(OnProgram(verb, {Sum(true, "sound"), Sum(true, "broken")}).exit_code, 0);
  }
}

TEST(CallsNotMade, ADelegateIsUnknownToRunAndMixedByDiff) {
  EXPECT_EQ(OnProgram("run", {Delegated(true)}).exit_code, 3);
  EXPECT_EQ(OnProgram("diff", {Delegated(true)}).exit_code, 0);
  EXPECT_EQ(OnProgram("diff", {Delegated(false)}).exit_code, 1);
}

TEST(CallsNotMade, MadeUpInputsThatAnOperatorRefusesLeaveRunUndecided) {
  const CommandResult result = OnProgram("run", {Select()});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("stops    random[0] forward: instruction 1: "));
  EXPECT_THAT(result.out, HasSubstr("2 calls stop, perhaps not because of the program"));
}

TEST(CallsNotMade, ACallWithoutEndLeavesRunAndDiffUndecided) {
  const CommandResult run = OnProgram("run", {Endless()});
  EXPECT_EQ(run.exit_code, 3) << run.out << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("stops    random[0] forward: instruction 0: the call does not end"));
  const CommandResult diff = OnProgram("diff", {Endless()});
  EXPECT_EQ(diff.exit_code, 3) << diff.out << diff.err;
}

TEST(CallsNotMade, AMethodThatIsNeverComparedLeavesDiffUndecided) {
  const CommandResult result = OnProgram("diff", {Sum(true), Endless("endless")});
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("no call of endless could be compared"));
  EXPECT_THAT(result.out, Not(HasSubstr("no call of forward")));
}

}  // namespace
}  // namespace pteproof
