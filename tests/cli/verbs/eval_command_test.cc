// `pteproof eval` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kModels = std::string(PTEPROOF_CORPUS_DIR) + "/real/models/";

// A call of `m` with the integer 3, said to give `expected`.
std::string Calls(int expected) {
  return R"({"program": "a", "sequences": [{"name": "s", "calls": [{"method": "m",
    "inputs": [{"kind": "int", "value": 3}],
    "eager": [{"kind": "int", "value": )" +
         std::to_string(expected) + R"(}], "executorch": null, "truth": "eager"}]}]})";
}

CommandResult Eval(const std::string& module, const std::string& calls,
                   std::vector<std::string> options = {}) {
  const TempFolder folder;
  std::vector<std::string> arguments = {"eval", folder.Write("a.module", module), "--calls",
                                        folder.Write("calls.json", calls)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return RunCommand(arguments);
}

constexpr const char* kIdentity = "method m(%x: int) {\n  return %x\n}\n";

TEST(EvalCommand, AgreesWithARecordedModel) {
  const CommandResult result = RunCommand({"eval", kModels + "get_identity/get_identity.pte"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("agrees   interleaved[0] get\n"));
  EXPECT_THAT(result.out,
              HasSubstr("5 calls agree, 0 differ, 0 have no reference\n"));
}

TEST(EvalCommand, RunsAModulesText) {
  const CommandResult result = Eval(kIdentity, Calls(3));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("agrees   s[0] m\n"));
}

TEST(EvalCommand, SaysWhatDiffers) {
  const CommandResult result = Eval(kIdentity, Calls(4));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("differs  s[0] m: output 0: expected 4, got 3\n"));
}

// A call of `m` with the integer 3 and outputs of both sides; `truth` may be empty.
std::string Disputed(const std::string& executorch, const std::string& eager,
                     const std::string& truth = "") {
  const auto outputs = [](const std::string& number) {
    return number == "null" ? number : R"([{"kind": "int", "value": )" + number + "}]";
  };
  return R"({"program": "a", "sequences": [{"name": "s", "calls": [{"method": "m",
    "inputs": [{"kind": "int", "value": 3}], "eager": )" +
         outputs(eager) + R"(, "executorch": )" + outputs(executorch) +
         (truth.empty() ? "" : R"(, "truth": ")" + truth + "\"") + "}]}]}";
}

TEST(EvalCommand, SaysWhichOfTwoRecordedOutputsAResultEquals) {
  const CommandResult theirs = Eval(kIdentity, Disputed("3", "4"));
  EXPECT_EQ(theirs.exit_code, 0) << theirs.out << theirs.err;
  EXPECT_THAT(theirs.out, StartsWith("agrees   s[0] m: equals ExecuTorch's recorded outputs, not "
                                     "PyTorch's\n"));
  EXPECT_THAT(theirs.out,
              HasSubstr("In 1 calls PyTorch's and ExecuTorch's recorded outputs differ: "
                        "1 results equal\nExecuTorch's, 0 equal PyTorch's. "
                        "--compare executorch or --compare eager chooses one.\n"));

  const CommandResult ours = Eval(kIdentity, Disputed("4", "3"));
  EXPECT_EQ(ours.exit_code, 1);
  EXPECT_THAT(ours.out, StartsWith("differs  s[0] m: output 0: expected 4, got 3; equals PyTorch's "
                                   "recorded outputs, not ExecuTorch's\n"));
  EXPECT_THAT(ours.out, HasSubstr("0 results equal\nExecuTorch's, 1 equal PyTorch's."));

  EXPECT_THAT(Eval(kIdentity, Disputed("4", "5")).out,
              HasSubstr("equals neither ExecuTorch's nor PyTorch's recorded outputs"));
}

TEST(EvalCommand, ComparesWithTheSideThatIsAskedFor) {
  const std::string calls = Disputed("3", "4");
  EXPECT_EQ(Eval(kIdentity, calls, {"--compare", "executorch"}).exit_code, 0);
  const CommandResult eager = Eval(kIdentity, calls, {"--compare", "eager"});
  EXPECT_EQ(eager.exit_code, 1);
  EXPECT_THAT(eager.out, HasSubstr("expected 4, got 3; equals ExecuTorch's recorded outputs"));
  EXPECT_EQ(Eval(kIdentity, Disputed("4", "3"), {"--compare", "eager"}).exit_code, 0);
}

TEST(EvalCommand, SaysNothingOfSidesWhereThereIsNothingToChoose) {
  for (const std::string& calls : {Disputed("3", "3"), Disputed("3", "null"),
                                   Disputed("null", "3", "eager"), Disputed("3", "4", "shape")}) {
    const CommandResult result = Eval(kIdentity, calls);
    EXPECT_EQ(result.exit_code, 0) << result.out;
    EXPECT_THAT(result.out, StartsWith("agrees   s[0] m\n"));
    EXPECT_THAT(result.out, Not(HasSubstr("--compare")));
  }
}

TEST(EvalCommand, IsUndecidedWhereThereIsNoCallToMake) {
  EXPECT_EQ(Eval(kIdentity, R"({"program": "a", "sequences": []})").exit_code, 3);
  EXPECT_EQ(
      Eval(kIdentity, R"({"program": "a", "sequences": [{"name": "s", "calls": []}]})").exit_code,
      3);
}

TEST(EvalCommand, AllowsACallToFailOfWhichTheRecordingExpectsNothing) {
  const std::string calls = R"({"program": "a", "sequences": [{"name": "s", "calls": [
             {"method": "m", "inputs": [{"kind": "bool", "value": true}], "truth": "skip"}]}]})";
  const CommandResult result = Eval(kIdentity, calls);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("skipped  s[0] m: input %x of 'm' is not an integer"));
  EXPECT_EQ(Eval(kIdentity, calls, {"--semantics", "hash"}).exit_code, 1);
}

TEST(EvalCommand, NamesAnOperatorThatNobodyKnows) {
  const CommandResult result =
      Eval("method m(%x: int) {\n  %0: int = my::op(%x)\n  return %0\n}\n", Calls(3));
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 calls stop at my::op"));
}

TEST(EvalCommand, PrintsDigestsUnderHash) {
  const CommandResult result = Eval(kIdentity, Calls(4), {"--semantics", "hash"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("mixed    s[0] m: outputs 0000000000000003\n"));
}

// What the first call would have left behind is not known.
TEST(EvalCommand, MakesNoCallAfterOneThatStops) {
  const std::string method = "method m(%x: int) {\n  %0: int = my::op(%x)\n  return %0\n}\n";
  const std::string calls = R"({"program": "a", "sequences": [{"name": "s", "calls": [
             {"method": "m", "inputs": [{"kind": "int", "value": 3}]},
             {"method": "m", "inputs": [{"kind": "int", "value": 3}]}]}]})";
  const CommandResult result = Eval("buffer @b: float32[1]\n" + method, calls);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("1 calls are not made"));
  EXPECT_THAT(Eval(method, calls).out, HasSubstr("2 calls stop at my::op"));
}

TEST(EvalCommand, FailsOnInputsOfAnotherKindAlsoWhereNothingIsCompared) {
  const CommandResult result = Eval(kIdentity,
                                    R"({"program": "a", "sequences": [{"name": "s", "calls": [
             {"method": "m", "inputs": [{"kind": "bool", "value": true}]}]}]})");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("fails    s[0] m: input %x of 'm' is not an integer"));
}

TEST(EvalCommand, DigestsWhatACallDoesToItsInputs) {
  const char* module =
      "method m(%x: int, %y: float32[1]) {\n  %0: float32[1] = aten::add_.Tensor(%y, %y, 1)\n"
      "  return %x\n}\n";
  const std::string calls = R"({"program": "a", "sequences": [{"name": "s", "calls": [
    {"method": "m", "inputs": [{"kind": "int", "value": 3},
      {"kind": "tensor", "dtype": "float32", "sizes": [1], "nbytes": 4, "offset": 0}]}]}]})";
  const TempFolder folder;
  folder.Write("calls.bin", std::string("\0\0\x80?", 4));
  const CommandResult result =
      RunCommand({"eval", folder.Write("a.module", module), "--calls",
                  folder.Write("calls.json", calls), "--semantics", "hash"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("m: outputs 0000000000000003, inputs "));
}

TEST(EvalCommand, ShowsOnlyWhatDiffersWhenQuiet) {
  EXPECT_THAT(Eval(kIdentity, Calls(3), {"-q"}).out, StartsWith("1 calls agree"));
}

TEST(EvalCommand, RefusesWhatItCannotReadOrDo) {
  const TempFolder folder;
  const std::string calls = folder.Write("calls.json", Calls(3));
  EXPECT_EQ(RunCommand({"eval", folder.path() + "/none.pte", "--calls", calls}).exit_code, 66);
  EXPECT_EQ(RunCommand({"eval", folder.Write("b.pte", "no program"), "--calls", calls}).exit_code,
            2);
  EXPECT_THAT(RunCommand({"eval", folder.Write("c/d.module", kIdentity)}).err,
              HasSubstr("--calls FILE"));
  EXPECT_EQ(Eval("method", Calls(3)).exit_code, 2);
  EXPECT_EQ(Eval(kIdentity, "{").exit_code, 66);
  EXPECT_EQ(Eval(kIdentity, Calls(3), {"--compare", "nothing"}).exit_code, 64);
}

}  // namespace
}  // namespace pteproof
