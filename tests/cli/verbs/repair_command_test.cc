// `replan --repair` on programs put together by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/stage.h"
#include "base/stop.h"
#include "cli/io/hosted.h"
#include "cli/verbs/replan_command.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string SavedProgram(const TempFolder& folder, std::vector<Method> methods) {
  const auto bytes = WriteProgram(ProgramOf(std::move(methods)));
  return folder.Write("in.pte",
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

CommandResult Repair(const std::string& in, std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"replan", "--repair", in, "-o", in + ".out", "--runs", "20"};
  args.insert(args.end(), more.begin(), more.end());
  return RunCommand(args);
}

// The result of a flip lies over its operand.
Method FlipInPlace() {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  m.Add(x, x, a);
  const int32_t y = m.Planned(1, 16, {4});
  m.Flip(a, y);
  m.Output(y);
  return m.Build();
}

TEST(RepairCommand, MovesWhatOverlaps) {
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {FlipInPlace()});
  ASSERT_EQ(RunCommand({"check", in}).exit_code, 1);
  const CommandResult result = Repair(in);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("in.pte: repaired, safe under every policy\n"));
  EXPECT_THAT(result.out, HasSubstr("errors fixed: 1 of in-place-alias"));
  EXPECT_THAT(result.out, Not(HasSubstr("copy added")));
  EXPECT_EQ(RunCommand({"check", in + ".out"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"prove", in + ".out"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", "--meant", in, in + ".out"}).exit_code, 0);
}

// A flip cannot be made in place, and the sum ahead of it can.
TEST(RepairCommand, PlansTheRepairedProgramAgain) {
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {FlipInPlace()});
  const CommandResult result = Repair(in, {"--in-place"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("in.pte: repaired, safe under every policy\n"));
  EXPECT_THAT(result.out, HasSubstr("\nplanned again, compared with "));
  EXPECT_EQ(RunCommand({"check", in + ".out"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", "--meant", in, in + ".out"}).exit_code, 0);
  const auto json = nlohmann::json::parse(Repair(in, {"--in-place", "--json"}).out);
  EXPECT_TRUE(json["planned_again"]["holds"]);
}

// A clone lies over the result that is read beside it. The file has 1280 bytes, its repair 768.
TEST(RepairCommand, ComparesTheSecondPlanWithTheFileThatItWasGiven) {
  const TempFolder folder;
  const std::string in = folder.Write("in.pteasm", R"(program
method forward(%x: float32[64] @1:0) {
  %a: float32[64] @1:256 = aten::neg.out(%x)
  %b: float32[64] @1:256 = aten::clone.out(%x, None)
  %c: float32[64] @1:512 = aten::add.out(%a, %b, 1)
  %d: float32[64] @1:768 = aten::clone.out(%c, None)
  %e: float32[64] @1:1024 = aten::neg.out(%d)
  return %e
}
)");
  const auto json = nlohmann::json::parse(Repair(in, {"--in-place", "--json"}).out);
  EXPECT_EQ(json["banks"][0]["after"], 768);
  EXPECT_EQ(json["planned_again"]["device"]["private"]["before"], 1280);
  EXPECT_EQ(json["planned_again"]["banks"][0]["before"], 1280);
  EXPECT_THAT(Repair(in, {"--in-place"}).out,
              HasSubstr("\nplanned again, compared with " + in +
                        ": device banks take 512 bytes, 768 fewer\n"));
}

// Asks for a stop as soon as a stage of this thread's work begins.
class StopAtAStage : public StageListener {
 public:
  explicit StopAtAStage(std::atomic<bool>& stop) : stop_(stop) { ListenerOfThread() = this; }
  ~StopAtAStage() override { ListenerOfThread() = nullptr; }
  StopAtAStage(const StopAtAStage&) = delete;
  StopAtAStage& operator=(const StopAtAStage&) = delete;
  void Begins(std::string_view, size_t, size_t) override { stop_ = true; }

 private:
  std::atomic<bool>& stop_;
};

// The line of the first plan has its stages for itself.
TEST(RepairCommand, WritesAFinishedRepairIfTheSecondPlanIsStopped) {
  const TempFolder folder;
  ReplanRequest request;
  request.file = SavedProgram(folder, {FlipInPlace()});
  request.output = request.file + ".out";
  request.repair = true;
  request.options.in_place = true;
  request.calls = 1;
  std::atomic<bool> stop = false;
  Hosted host;
  HostOfThread() = &host;
  {
    const StopAtAStage listener(stop);
    const WorksFor work(&stop);
    EXPECT_EQ(RunReplan(request), ExitCode::kSafe) << host.complaints;
  }
  HostOfThread() = nullptr;
  EXPECT_TRUE(stop);
  EXPECT_THAT(host.output, HasSubstr(": repaired, safe under every policy\n"));
  EXPECT_THAT(host.output, HasSubstr("\nnot planned again, this is the repair alone: stopped "));
  EXPECT_EQ(RunCommand({"check", request.output}).exit_code, 0);
}

// A view of a buffer, read after the store to it: a copy holds what it was.
TEST(RepairCommand, CopiesWhatAStoreWritesOver) {
  const TempFolder folder;
  const std::string in =
      folder.Write("in.pte", ReadText(std::string(PTEPROOF_CORPUS_DIR) +
                                      "/real/bugs/view-then-store/view-then-store.pte"));
  const std::string certificate = folder.path() + "/out.json";
  const CommandResult result = Repair(in, {"--certificate", certificate});
  EXPECT_EQ(result.exit_code, 3) << result.err;  // it depends on the loader still
  EXPECT_THAT(result.out, HasSubstr("stays unsafe under private: state-split: "));
  EXPECT_THAT(result.out, HasSubstr("copy added: step, instruction 0: aten::copy_ of v0 to v3; it "
                                    "stands for contents that are written over\n"));
  EXPECT_THAT(result.out, HasSubstr("rests on: 1 view that no instruction makes\n"));
  const auto json = nlohmann::json::parse(ReadText(certificate))["shown"];
  EXPECT_EQ(json["holds"], true);
  EXPECT_EQ(json["repair"]["gone"][0]["rule"], "entry-value-lost");
  const auto& method = json["repair"]["methods"][1];
  EXPECT_EQ(method["meaning"]["views"], 1);
  EXPECT_EQ(method["copies"][0]["operator"], "aten::copy_");
  EXPECT_EQ(method["instructions"], nlohmann::json({1, 2, 3, 4}));
  EXPECT_EQ(json["operators_added"], nlohmann::json::array());
}

// The advice beside a refusal is not the command that was just refused.
TEST(RepairCommand, DoesNotAdviseItselfWhereItRefuses) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  const int32_t b = m.Planned(1, 24, {4});
  const int32_t y = m.Planned(1, 48, {4});
  m.Add(x, x, a);
  m.Add(x, x, b);
  m.Add(a, b, y);
  m.Output(y);
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {m.Build()});
  EXPECT_THAT(RunCommand({"check", in}).out, HasSubstr("replan --repair"));
  const CommandResult result = Repair(in, {"--bank-size", "1=32"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("nothing is written: "));
  EXPECT_THAT(result.err, HasSubstr("\n  plan-overlap: "));
  EXPECT_THAT(result.err,
              HasSubstr("\n  Plan the method again with the default memory-planning pass.\n"));
  EXPECT_THAT(result.err, Not(HasSubstr("replan --repair")));
}

// What no plan mends is said, and nothing is written.
TEST(RepairCommand, SaysWhatIsLeft) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, state, y);
  m.Output(y);
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {m.Build()});
  const std::string manifest = folder.Write("in.json", R"({"pteproof": 1,
    "buffers": {"state": {}}, "methods": {"forward": {"mutates": ["state"]}}})");
  const CommandResult result = Repair(in, {"--manifest", manifest});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("nothing is written: no plan mends it\n  write-back-missing: "));
  EXPECT_FALSE(fs::exists(in + ".out"));
}

TEST(RepairCommand, TakesTheStoreFromTheManifest) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, state, y);
  m.Copy(x, y);
  m.Output(y);
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {m.Build()});
  const std::string manifest = folder.Write("in.json", R"({"pteproof": 1,
    "buffers": {"state": {}},
    "methods": {"forward": {"mutates": ["state"], "mutates_inputs": []}}})");
  const CommandResult result = Repair(in, {"--manifest", manifest});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("changed: 'forward': the store of instruction 1 goes to buffer "
                                    "'state' (v0) in place of an argument\n"));
  EXPECT_EQ(RunCommand({"check", "--manifest", manifest, in + ".out"}).exit_code, 0);
}

// It copies with what the program calls, or with what --operators-of allows.
TEST(RepairCommand, AsksForTheOperatorsThatARuntimeHas) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {2, 4});
  const int32_t index = m.Planned(1, 32, {1}, {}, ScalarType::kInt64);
  const int32_t row = m.Planned(1, 64, {1, 4});
  m.Input(x);
  m.Input(index);
  m.Input(row);
  const int32_t a = m.Planned(1, 96, {2, 4});
  m.Add(x, x, a);
  const int32_t view = m.Planned(1, 96, {4, 2});
  m.IndexPut(a, index, row);
  const int32_t y = m.Planned(1, 128, {4, 2});
  m.Mul(view, view, y);
  m.Output(y);
  m.Output(a);
  const TempFolder folder;
  const std::string in = SavedProgram(folder, {m.Build()});
  const CommandResult refused = Repair(in);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--operators-of says what else the runtime has"));
  const CommandResult result = Repair(in, {"--operators-of", "wheel"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("operator added: aten::copy_\n"));
  const std::string list = folder.Write("list.txt", "# a runtime\n\n  aten::clone.out  # copies\n");
  const CommandResult listed = Repair(in, {"--operators-of", list});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("operator added: aten::clone.out\n"));
  EXPECT_EQ(Repair(in, {"--operators-of", folder.Write("add.txt", "aten::add.out")}).exit_code, 1);
}

TEST(RepairCommand, PlansASafeProgramAnew) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 16, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 32, {4});
  m.Add(x, x, y);
  m.Output(y);
  const TempFolder folder;
  const CommandResult result = Repair(SavedProgram(folder, {m.Build()}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("bytes, 16 fewer\n"));
}

// The buffer goes to the start of its bank, in both methods.
TEST(RepairCommand, MovesBuffersIfAsked) {
  std::vector<Method> methods;
  for (const std::string name : {"one", "two"}) {
    MethodBuilder m(name);
    const int32_t state = m.Planned(2, 64, {4}, "state");
    const int32_t x = m.Planned(1, 0, {4});
    m.Input(x);
    const int32_t y = m.Planned(1, 16, {4});
    m.Add(x, state, y);
    m.Copy(state, y);
    m.Output(y);
    methods.push_back(m.Build());
  }
  const TempFolder folder;
  const std::string in = SavedProgram(folder, methods);
  const std::string out = in + ".out";
  ASSERT_EQ(RunCommand({"replan", in, "-o", out, "--runs", "5"}).exit_code, 0);
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].TensorOf(0)->offset, 64U);
  const CommandResult moved =
      RunCommand({"replan", "--move-state", in, "-o", out, "--runs", "5", "--policy", "share-all"});
  ASSERT_EQ(moved.exit_code, 0) << moved.err;
  const auto written = ReadProgramFile(out);
  ASSERT_TRUE(written.ok());
  for (const Method& method : written.value().program.methods) {
    EXPECT_EQ(method.TensorOf(0)->offset, 0U);
    EXPECT_EQ(method.bank_sizes[2], 16U);
  }
}

TEST(RepairCommand, RefusesAWrongListOfOperators) {
  const TempFolder folder;
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  m.Output(x);
  const std::string in = SavedProgram(folder, {m.Build()});
  const CommandResult missing = Repair(in, {"--operators-of", folder.path() + "/none.txt"});
  EXPECT_EQ(missing.exit_code, 66);
  EXPECT_THAT(missing.err, HasSubstr("none.txt cannot be read"));
  for (const char* wrong : {"copy_", "aten::", "aten::add.out twice", "aten::add.out.out"}) {
    const std::string list = folder.Write("list.txt", std::string("aten::copy_\n") + wrong);
    const CommandResult result = Repair(in, {"--operators-of", list});
    EXPECT_EQ(result.exit_code, 64) << wrong;
    EXPECT_THAT(result.err, HasSubstr("list.txt:2: " + std::string(wrong) + " is not"));
  }
}

}  // namespace
}  // namespace pteproof
