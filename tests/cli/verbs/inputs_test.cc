// `--inputs` of `pteproof run` and `eval`, and the bounds within which outputs agree.
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

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kCorpus = PTEPROOF_CORPUS_DIR;
const std::string kCounter = kCorpus + "/real/models/counter/counter.pte";

std::string ProgramText(const Program& program) {
  const auto file = WriteProgram(program).value();
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

CommandResult WithInputs(const std::string& verb, const std::string& inputs,
                         std::vector<std::string> more = {}) {
  std::vector<std::string> words = {verb, kCounter, "--inputs", inputs};
  words.insert(words.end(), more.begin(), more.end());
  return RunCommand(words);
}

TEST(InputsOption, MakesTheCallsOfNumpysArraysInTheirOrder) {
  for (const char* verb : {"run", "eval"}) {
    const CommandResult result = WithInputs(verb, kCorpus + "/inputs/counter.npz");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith("ran      inputs[0] forward"));
    EXPECT_THAT(result.out, HasSubstr("ran      inputs[1] forward"));
    EXPECT_THAT(result.out,
                HasSubstr("0 calls agree, 0 differ, 2 have no reference\n"));
  }
}

TEST(InputsOption, TakesTheInputsOfARecordingAndComparesNothing) {
  const CommandResult result =
      WithInputs("run", kCorpus + "/real/models/counter/calls.json", {"--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(R"("result":"ran")"));
  EXPECT_THAT(result.out, Not(HasSubstr(R"("result":"agrees")")));
}

TEST(InputsOption, IsFollowedByTheTaggedRunToo) {
  const CommandResult result =
      WithInputs("run", kCorpus + "/inputs/counter.npz", {"--mode", "tagged"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 calls clean, 0 with a wrong byte, 0 not made"));
}

TEST(InputsOption, NamesTheArrayThatDoesNotFit) {
  const CommandResult kinds = WithInputs("run", kCorpus + "/inputs/kinds.npz");
  EXPECT_EQ(kinds.exit_code, 66);
  EXPECT_THAT(kinds.err, HasSubstr("kinds.npz: array flag: name it by its position"));
  const CommandResult compressed = WithInputs("run", kCorpus + "/inputs/compressed.npz");
  EXPECT_EQ(compressed.exit_code, 66);
  EXPECT_THAT(compressed.err, HasSubstr("numpy.savez"));
  const CommandResult missing = WithInputs("eval", "no-such.npz");
  EXPECT_EQ(missing.exit_code, 66);
  EXPECT_THAT(missing.err, HasSubstr("no-such.npz"));
}

TEST(InputsOption, DoesNotGoWithRecordedCalls) {
  const CommandResult result =
      WithInputs("run", kCorpus + "/inputs/counter.npz", {"--calls", "calls.json"});
  EXPECT_EQ(result.exit_code, 64);
}

// forward(indices): rows of a table of 3.
Program LookupIn(bool with_state) {
  MethodBuilder b;
  const int32_t table = b.Planned(2, 0, {3, 1}, with_state ? "table" : "");
  const int32_t indices = b.Planned(1, 0, {2}, {}, ScalarType::kInt64);
  const int32_t out = b.Planned(1, 16, {2, 1});
  b.Input(indices);
  b.Call("aten::embedding.out",
         {table, indices, b.Int(-1), b.Bool(false), b.Bool(false), out, out});
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(RandomCalls, IndexWhatIsThere) {
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", ProgramText(LookupIn(true)));
  for (const char* mode : {"planned", "private-storage", "tagged"}) {
    for (int seed = 0; seed < 5; ++seed) {
      const CommandResult result =
          RunCommand({"run", file, "--mode", mode, "--seed", std::to_string(seed)});
      EXPECT_EQ(result.exit_code, 0) << mode << "\n" << result.out;
    }
  }
}

// A manifest that states other numbers than there are rows for: each call stops, and each is told.
TEST(RandomCalls, BeginAnewAfterOneThatStops) {
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", ProgramText(LookupIn(true)));
  const std::string manifest = folder.Write("m.json",
                                            R"({"pteproof": 1, "methods": {"forward": {
            "inputs": [{"name": "i", "range": {"min": 3, "max": 9}}]}}})");
  for (const char* mode : {"planned", "tagged"}) {
    const CommandResult result = RunCommand({"run", file, "--mode", mode, "--manifest", manifest});
    EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("stops    random[0] forward"));
    EXPECT_THAT(result.out, HasSubstr("stops    random[1] forward"));
  }
}

// A delegate's result has the sizes of the file, so that a recorded call with fewer rows would not
// fit a view of it.
TEST(HashSemantics, MakesShorterRecordedCallsOfDelegates) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {4, 2});
  const int32_t made = b.Planned(1, 32, {4, 2});
  const int32_t rows = b.Int(0);
  const int32_t view = b.Planned(1, 32, {4, 2, 1});
  const int32_t out = b.Planned(1, 64, {4, 2, 1});
  for (const int32_t v : {in, made, view, out}) b.TensorAt(v).dynamism = Dynamism::kBounded;
  b.Input(in);
  b.Call("aten::sym_size.int", {in, b.Int(0), rows});
  b.Delegate({in, made});
  b.Call("executorch_prim::et_view.default", {made, b.IntList({rows, b.Int(2), b.Int(1)}), view});
  b.Mul(view, view, out);
  b.Output(out);
  b.method().delegates.push_back({"backend", {}, {}});
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", ProgramText(ProgramOf({b.Build()})));
  folder.Write("calls.bin", std::string(16, 'x'));
  folder.Write("calls.json", R"({"program": "m.pte", "sequences": [{"name": "s", "calls": [
      {"method": "forward", "eager": null, "executorch": null, "inputs": [
        {"kind": "tensor", "dtype": "float32", "sizes": [2, 2], "offset": 0, "nbytes": 16}]}]}]})");
  for (const char* mode : {"planned", "private-storage", "tagged"}) {
    const CommandResult result = RunCommand({"run", file, "--semantics", "hash", "--mode", mode});
    EXPECT_EQ(result.exit_code, 0) << mode << "\n" << result.out << result.err;
  }
}

// forward(x): x + x, which was recorded as a thousandth more than 2.
TEST(BoundsOptions, DecideWhetherNumbersAgree) {
  MethodBuilder b;
  const int32_t in = b.Planned(1, 0, {1});
  const int32_t out = b.Planned(1, 16, {1});
  b.Input(in);
  b.Add(in, in, out);
  b.Output(out);
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", ProgramText(ProgramOf({b.Build()})));
  const float numbers[] = {1.0F, 2.002F};
  folder.Write("calls.bin", {reinterpret_cast<const char*>(numbers), sizeof numbers});
  folder.Write("calls.json", R"({"program": "m.pte", "sequences": [{"name": "s", "calls": [
      {"method": "forward",
       "inputs": [{"kind": "tensor", "dtype": "float32", "sizes": [1], "offset": 0, "nbytes": 4}],
       "executorch": [
         {"kind": "tensor", "dtype": "float32", "sizes": [1], "offset": 4, "nbytes": 4}],
       "eager": null}]}]})");
  using Options = std::vector<std::string>;
  const auto code = [&](const char* verb, const Options& options) {
    std::vector<std::string> words = {verb, file};
    words.insert(words.end(), options.begin(), options.end());
    return RunCommand(words).exit_code;
  };
  for (const char* verb : {"run", "eval"}) {
    EXPECT_EQ(code(verb, {}), 1);
    EXPECT_EQ(code(verb, {"--rtol", "1e-3"}), 0);
    EXPECT_EQ(code(verb, {"--rtol", "9e-4"}), 1);
    EXPECT_EQ(code(verb, {"--atol", "2.1e-3"}), 0);
    EXPECT_EQ(code(verb, {"--atol", "1.9e-3"}), 1);
    EXPECT_EQ(code(verb, {"--ulp", "10000"}), 0);
    EXPECT_EQ(code(verb, {"--ulp", "8000"}), 1);
    EXPECT_EQ(code(verb, {"--rtol", "-1"}), 64);
  }
}

}  // namespace
}  // namespace pteproof
