// `--json` of `run`, `eval`, `place` and `test`: lines, keys, counts and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using OrderedJson = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kSoundModel =
    std::string(PTEPROOF_CORPUS_DIR) + "/real/models/get_identity/get_identity.pte";
const std::string kWrongPlan =
    std::string(PTEPROOF_CORPUS_DIR) + "/real/bugs/cond-siblings/cond-siblings.pte";

struct JsonRun {
  int exit_code = -1;
  std::vector<OrderedJson> lines;
  std::string err;
};

JsonRun RunForJson(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const CommandResult result = RunCommand(arguments);
  JsonRun run{result.exit_code, {}, result.err};
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) run.lines.push_back(OrderedJson::parse(line));
  return run;
}

std::vector<std::string> KeysOf(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// Two integers in, the first out; a call whose recorded sides differ, one without a truth, one that
// is wrong.
constexpr const char* kFirstOfTwo = "method m(%x: int, %y: int) {\n  return %x\n}\n";
constexpr const char* kThreeCalls = R"({"program": "a", "sequences": [{"name": "s", "calls": [
  {"method": "m", "inputs": [{"kind": "int", "value": 3}, {"kind": "int", "value": 5}],
   "eager": [{"kind": "int", "value": 5}], "executorch": [{"kind": "int", "value": 3}]},
  {"method": "m", "inputs": [{"kind": "int", "value": 3}, {"kind": "int", "value": 5}],
   "case": "nothing to compare", "truth": "skip"},
  {"method": "m", "inputs": [{"kind": "int", "value": 3}, {"kind": "int", "value": 5}],
   "eager": [{"kind": "int", "value": 4}], "executorch": null, "truth": "eager"}]}]})";

class EvalJson : public ::testing::Test {
 protected:
  JsonRun Eval(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"eval", module_, "--calls", calls_});
    return RunForJson(options);
  }

  const TempFolder folder_;
  const std::string module_ = folder_.Write("a.module", kFirstOfTwo);
  const std::string calls_ = folder_.Write("calls.json", kThreeCalls);
};

TEST_F(EvalJson, HasALinePerCallAndOneOfCounts) {
  const JsonRun run = Eval();
  EXPECT_EQ(run.exit_code, 1);
  ASSERT_EQ(run.lines.size(), 4U);
  const OrderedJson& disputed = run.lines[0];
  EXPECT_THAT(KeysOf(disputed),
              ElementsAre("file", "recording", "manifest", "sequence", "call", "method", "label",
                          "result", "equals", "reason", "digests"));
  EXPECT_EQ(disputed["file"], module_);
  EXPECT_EQ(disputed["recording"], calls_);
  EXPECT_EQ(disputed["manifest"], nullptr);
  EXPECT_EQ(disputed["sequence"], "s");
  EXPECT_EQ(disputed["method"], "m");
  EXPECT_EQ(disputed["result"], "agrees");
  EXPECT_EQ(disputed["equals"], "executorch");
  EXPECT_EQ(disputed["reason"], nullptr);
  EXPECT_EQ(run.lines[1]["call"], 1);
  EXPECT_EQ(run.lines[1]["result"], "skipped");
  EXPECT_EQ(run.lines[1]["label"], "nothing to compare");
  EXPECT_EQ(run.lines[2]["result"], "differs");
  EXPECT_EQ(run.lines[2]["reason"], "output 0: expected 4, got 3");
  EXPECT_EQ(run.lines[2]["equals"], nullptr);
}

TEST_F(EvalJson, CountsWhatTheLinesSay) {
  const OrderedJson counts = Eval().lines.back();
  EXPECT_EQ(counts["verdict"], "differs");
  EXPECT_EQ(counts["agree"], 1);
  EXPECT_EQ(counts["differ"], 1);
  EXPECT_EQ(counts["not_compared"], 1);
  EXPECT_EQ(counts["disputed"],
            OrderedJson::parse(R"({"calls": 1, "equal_executorch": 1, "equal_eager": 0})"));
  EXPECT_EQ(counts["unknown"], OrderedJson::object());
}

TEST_F(EvalJson, LeavesOutCallsThatAgreeWhenQuiet) {
  const JsonRun run = Eval({"-q"});
  ASSERT_EQ(run.lines.size(), 2U);
  EXPECT_EQ(run.lines[0]["result"], "differs");
}

TEST_F(EvalJson, HasDigestsWhereNothingIsCompared) {
  const JsonRun run = Eval({"--semantics", "hash"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.lines[0]["result"], "mixed");
  EXPECT_EQ(run.lines[0]["digests"], OrderedJson::parse(R"({"outputs": ["0000000000000003"],
                                                     "changed_inputs": [], "state": null})"));
}

TEST_F(EvalJson, CountsUnknownOperatorsByName) {
  const std::string module = folder_.Write(
      "b.module", "method m(%x: int, %y: int) {\n  %0: int = my::op(%x)\n  return %0\n}\n");
  const JsonRun run = RunForJson({"eval", module, "--calls", calls_, "--compare", "eager"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.lines[0]["result"], "unknown");
  EXPECT_EQ(run.lines[0]["reason"], "my::op");
  EXPECT_EQ(run.lines.back()["verdict"], "undecided");
  EXPECT_EQ(run.lines.back()["unknown"], OrderedJson::parse(R"({"my::op": 3})"));
}

TEST(RunJson, SaysWhoseOutputsAWrongPlanGives) {
  const JsonRun planned = RunForJson({"run", kWrongPlan});
  EXPECT_EQ(planned.exit_code, 0) << planned.err;
  ASSERT_EQ(planned.lines.size(), 10U);
  EXPECT_TRUE(
      std::ranges::all_of(planned.lines.begin(), planned.lines.end() - 1,
                          [](const OrderedJson& line) { return line["equals"] == "executorch"; }));
  EXPECT_EQ(planned.lines.back()["disputed"]["equal_executorch"], 9);
  const JsonRun eager = RunForJson({"run", kWrongPlan, "--compare", "eager"});
  EXPECT_EQ(eager.exit_code, 1);
  EXPECT_EQ(eager.lines.back()["verdict"], "differs");
  const JsonRun reference = RunForJson({"eval", kWrongPlan, "--compare", "eager"});
  EXPECT_EQ(reference.exit_code, 0);
  EXPECT_EQ(reference.lines.back()["disputed"]["equal_eager"], 9);
}

TEST(RunJson, NamesNoRecordingOfRandomInputs) {
  const TempFolder folder;
  const JsonRun run = RunForJson({"run", folder.Write("a.pte", ReadText(kSoundModel))});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  ASSERT_GE(run.lines.size(), 2U);
  EXPECT_EQ(run.lines[0]["recording"], nullptr);
  EXPECT_EQ(run.lines[0]["result"], "ran");
  EXPECT_FALSE(run.lines[0]["digests"]["outputs"].empty());
}

TEST(RunJson, SaysWhetherTaggedCallsAreAProof) {
  const JsonRun proof = RunForJson({"run", kSoundModel, "--mode", "tagged"});
  EXPECT_EQ(proof.exit_code, 0) << proof.err;
  EXPECT_EQ(proof.lines[0]["result"], "clean");
  EXPECT_EQ(proof.lines.back()["verdict"], "clean");
  EXPECT_EQ(proof.lines.back()["clean"], 5);
  EXPECT_EQ(proof.lines.back()["proof"], true);
  const JsonRun wrong = RunForJson({"run", kWrongPlan, "--mode", "tagged"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.lines[0]["result"], "wrong");
  EXPECT_THAT(wrong.lines[0]["reason"].get<std::string>(), HasSubstr("it must see the bytes"));
  EXPECT_EQ(wrong.lines.back()["proof"], false);
}

// The recording of the counter names state that only the manifest tells apart.
TEST(CallsJson, GivesBothReadingsOfAManifestThatIsNotTrusted) {
  const std::string counter = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte";
  const std::string manifest = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.manifest.json";
  for (const std::string verb : {"eval", "run"}) {
    const JsonRun named = RunForJson({verb, counter, "--trust-manifests"});
    const JsonRun found = RunForJson({verb, counter});
    ASSERT_GE(named.lines.size(), 2U) << named.err;
    ASSERT_EQ(found.lines.size(), 2 * named.lines.size());
    EXPECT_EQ(named.lines.back()["manifest"], manifest);
    EXPECT_EQ(found.lines.front()["manifest"], manifest);
    EXPECT_EQ(found.lines.back()["manifest"], nullptr);
  }
}

TEST(PlaceJson, HasALinePerBankWithOffsets) {
  const TempFolder folder;
  const std::string table = folder.Write(
      "t.csv", "id,lower,upper,size,bank\na,0,2,100,x\nb,1,3,80,x\nc,2,4,60,x\nd,0,1,7,y\n");
  const JsonRun run = RunForJson({"place", table});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  ASSERT_EQ(run.lines.size(), 2U);
  EXPECT_EQ(
      run.lines[0],
      OrderedJson::parse(R"({"file": "", "bank": "x", "verdict": "placed",
    "peak": 180, "load": 180, "at_least": 180, "offsets": {"a": 0, "b": 100, "c": 0},
    "too_many": [], "mistake": null})")
          .patch(OrderedJson::array({{{"op", "replace"}, {"path", "/file"}, {"value", table}}})));
  EXPECT_EQ(run.lines[1]["bank"], "y");
  EXPECT_EQ(run.lines[1]["offsets"], OrderedJson::parse(R"({"d": 0})"));
}

TEST(PlaceJson, NamesTheStoragesThatDoNotFit) {
  const TempFolder folder;
  const std::string table = folder.Write("t.csv", "id,lower,upper,size\na,0,2,60\nb,1,3,50\n");
  const JsonRun run = RunForJson({"place", table, "--capacity", "100"});
  EXPECT_EQ(run.exit_code, 1);
  ASSERT_EQ(run.lines.size(), 1U);
  EXPECT_EQ(run.lines[0]["verdict"], "does-not-fit");
  EXPECT_EQ(run.lines[0]["bank"], nullptr);
  EXPECT_EQ(run.lines[0]["too_many"], OrderedJson::parse(R"(["a", "b"])"));
  EXPECT_EQ(run.lines[0]["peak"], nullptr);
}

TEST(PlaceJson, WritesTheTableOnlyToANamedFile) {
  const TempFolder folder;
  const std::string table = folder.Write("t.csv", "id,lower,upper,size\na,0,2,60\n");
  const std::string out = folder.path() + "/out.csv";
  EXPECT_EQ(RunForJson({"place", table, "-o", out}).lines.size(), 1U);
  EXPECT_EQ(ReadText(out), "id,lower,upper,size,offset\na,0,2,60,0\n");
  const JsonRun both = RunForJson({"place", table, "-o", "-"});
  EXPECT_EQ(both.exit_code, 64);
  EXPECT_TRUE(both.lines.empty());
}

TEST(TestJson, EndsInOneLineOfCounts) {
  const JsonRun run = RunForJson({"test", "--cases", "20", "--seed", "3"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  ASSERT_EQ(run.lines.size(), 1U);
  EXPECT_THAT(KeysOf(run.lines[0]), ElementsAre("seed", "verdict", "cases", "without_plan", "calls",
                                                "drifted", "failure"));
  EXPECT_EQ(run.lines[0]["seed"], 3);
  EXPECT_EQ(run.lines[0]["verdict"], "passes");
  EXPECT_EQ(run.lines[0]["cases"], 20);
  EXPECT_GT(run.lines[0]["calls"], 0);
  const JsonRun counted = RunForJson({"test", "--cases", "5", "--statistics"});
  EXPECT_GT(counted.lines.size(), 20U);
  EXPECT_EQ(counted.lines.back()["cases"], 5);
}

TEST(TestJson, HasALineForAStoredCase) {
  const std::string folder = std::string(PTEPROOF_CORPUS_DIR) + "/cases/view_of_view_in_loop";
  const JsonRun run = RunForJson({"test", "--replay", folder});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  ASSERT_EQ(run.lines.size(), 1U);
  EXPECT_EQ(run.lines[0],
            OrderedJson({{"case", folder}, {"verdict", "passes"}, {"failure", nullptr}}));
}

}  // namespace
}  // namespace pteproof
