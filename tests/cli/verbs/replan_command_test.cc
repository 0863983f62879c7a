#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/read_bundle.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Four values of 16 bytes, each at a place of its own, of which two live at once. `wrong`: the
// result of a flip lies over its operand.
Method Sums(bool wrong = false) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t a = b.Planned(1, 16, {4});
  const int32_t c = b.Planned(1, 32, {4});
  const int32_t y = b.Planned(1, wrong ? 32 : 48, {4});
  b.Add(x, x, a);
  b.Add(a, a, c);
  b.Flip(c, y);
  b.Output(y);
  return b.Build();
}

std::string Saved(const TempFolder& folder, const std::string& name, const Method& method) {
  const auto bytes = WriteProgram(ProgramOf({method}));
  return folder.Write(name,
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

TEST(ReplanCommand, WritesASmallerProgramWithItsCertificate) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", Sums());
  const std::string out = folder.path() + "/out.pte";
  const std::string certificate = folder.path() + "/out.json";
  const CommandResult result =
      RunCommand({"replan", in, "-o", out, "--certificate", certificate, "--runs", "7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("bytes, 32 fewer\n"));
  EXPECT_THAT(result.out, HasSubstr("11 obligations proved; computation same; "));
  const auto written = ReadProgramFile(out);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written.value().program.methods[0].bank_sizes[1], 32U);
  const auto file = nlohmann::json::parse(ReadText(certificate));
  EXPECT_EQ(file["claims"]["private"], "safe");
  const auto& json = file["shown"];
  EXPECT_EQ(json["holds"], true);
  EXPECT_EQ(json["banks"][0]["before"], 64);
  EXPECT_EQ(json["banks"][0]["after"], 32);
  EXPECT_EQ(json["computation"][0]["answer"], "same");
  EXPECT_GE(json["runs"][0]["calls"], 7);
  EXPECT_EQ(RunCommand({"compare", in, out}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", out}).exit_code, 0);
}

// new = state with one row; y = new * new; state = new.
Method CachedRow() {
  MethodBuilder m;
  const int32_t state = m.Planned(1, 0, {8, 4}, "state");
  const int32_t at = m.Planned(1, 128, {1}, {}, ScalarType::kInt64);
  const int32_t row = m.Planned(1, 144, {1, 4});
  m.Input(at);
  m.Input(row);
  const int32_t no = m.Bool(false);
  const int32_t list = m.OptionalTensorList({at});
  const int32_t fresh = m.Planned(1, 160, {8, 4});
  const int32_t y = m.Planned(1, 288, {8, 4});
  m.Call("aten::index_put.out", {state, list, row, no, fresh, fresh});
  m.Mul(fresh, fresh, y);
  m.Copy(state, fresh);
  m.Output(y);
  return m.Build();
}

TEST(ReplanCommand, UpdatesBuffersInPlaceIfTheRuntimeCan) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", CachedRow());
  const std::string out = folder.path() + "/out.pte";
  const CommandResult without = RunCommand({"replan", in, "-o", out, "--in-place"});
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].instructions.size(), 3U);
  const CommandResult with =
      RunCommand({"replan", in, "-o", out, "--in-place", "--operators-of", "wheel"});
  EXPECT_EQ(with.exit_code, 0) << with.err;
  EXPECT_THAT(with.out, HasSubstr("1 buffer is updated in place, without a store\n"
                                  "  operator added: aten::index_put_\n"));
  EXPECT_THAT(with.out, HasSubstr("computation same"));
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].instructions.size(), 2U);
  const CommandResult json =
      RunCommand({"replan", in, "-o", out, "--in-place", "--operators-of", "wheel", "--json"});
  const auto certificate = nlohmann::json::parse(json.out);
  EXPECT_EQ(certificate["operators_added"], nlohmann::json::array({"aten::index_put_"}));
  EXPECT_EQ(certificate["updates_in_place"][0]["store"], 2);
  EXPECT_EQ(certificate["instructions_moved"][0]["now_at"], nlohmann::json::array({0, 1, -1}));
}

// The copy of a sum, of which the product is made. Values are numbered as they are made.
Method CopiedSum() {
  MethodBuilder m("forward");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 16, {4});
  m.Add(x, x, a);
  const int32_t copy = m.Planned(1, 32, {4});
  m.Call("aten::clone.out", {a, m.None(), copy, copy});
  const int32_t y = m.Planned(1, 48, {4});
  m.Mul(copy, copy, y);
  m.Output(y);
  return m.Build();
}

TEST(ReplanCommand, DropsCallsThatOnlyCopyInPlace) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", CopiedSum());
  const std::string out = folder.path() + "/out.pte";
  EXPECT_EQ(RunCommand({"replan", in, "-o", out}).exit_code, 0);
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].instructions.size(), 3U);
  const CommandResult result = RunCommand({"replan", in, "-o", out, "--in-place"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n1 copy is dropped\n"));
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].instructions.size(), 2U);
  const CommandResult json = RunCommand({"replan", in, "-o", out, "--in-place", "--json"});
  const auto certificate = nlohmann::json::parse(json.out);
  EXPECT_EQ(certificate["copies_dropped"][0]["instructions"], nlohmann::json::array({1}));
  EXPECT_EQ(certificate["instructions_moved"][0]["now_at"], nlohmann::json::array({0, -1, 1}));
  EXPECT_EQ(RunCommand({"compare", in, out}).exit_code, 0);
}

// Both have a bank of their own size; the output of the first is left alone by the second.
TEST(ReplanCommand, SaysIfOutputsLastLessLongThanBefore) {
  const TempFolder folder;
  const auto method = [](const std::string& name, uint64_t from) {
    MethodBuilder m(name);
    const int32_t x = m.Planned(1, from, {4});
    m.Input(x);
    const int32_t y = m.Planned(1, from + 16, {4});
    m.Add(x, x, y);
    m.Output(y);
    return m.Build();
  };
  const auto bytes = WriteProgram(ProgramOf({method("one", 0), method("two", 32)}));
  const std::string in = folder.Write(
      "in.pte", {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
  const std::string out = folder.path() + "/out.pte";
  const std::string written = folder.path() + "/out.json";
  const CommandResult result = RunCommand({"replan", in, "-o", out, "--certificate", written});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(", if outputs are read before the next call\n"));
  const auto certificate = nlohmann::json::parse(ReadText(written));
  EXPECT_EQ(certificate["outputs"], "next-call");
  EXPECT_EQ(certificate["shown"]["outputs_shortened"][0], "one");
  const CommandResult kept =
      RunCommand({"replan", in, "-o", out, "--certificate", written, "--outputs", "own-next-call"});
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_FALSE(nlohmann::json::parse(ReadText(written)).contains("outputs"));
}

TEST(ReplanCommand, WritesABundleIfItGetsOne) {
  const TempFolder folder;
  const std::string in = std::string(PTEPROOF_CORPUS_DIR) + "/crafted/base.bpte";
  const std::string out = folder.path() + "/out.bpte";
  const CommandResult result = RunCommand({"replan", in, "-o", out});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::byte> old_bytes = ReadBytes(in);
  const std::vector<std::byte> new_bytes = ReadBytes(out);
  const auto before = ReadBundle(old_bytes);
  const auto after = ReadBundle(new_bytes);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_FALSE(before.value().suites.empty());
  EXPECT_EQ(after.value().suites.size(), before.value().suites.size());
  EXPECT_EQ(RunCommand({"eval", out}).exit_code, RunCommand({"eval", in}).exit_code);
}

TEST(ReplanCommand, PutsValuesIntoAnotherBank) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", Sums());
  const std::string out = folder.path() + "/out.pte";
  const CommandResult result = RunCommand({"replan", in, "-o", out, "--bank", "1=4"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("32 fewer"));
  EXPECT_THAT(result.out, HasSubstr("computation same"));
  const Method method = ReadProgramFile(out).value().program.methods[0];
  EXPECT_EQ(method.bank_sizes[1], 0U);
  EXPECT_EQ(method.bank_sizes[4], 32U);
  for (const char* wrong : {"1", "1=1", "0=2", "1=two", "1=", "1=2=3"}) {
    EXPECT_EQ(RunCommand({"replan", in, "-o", out, "--bank", wrong}).exit_code, 64) << wrong;
  }
  EXPECT_EQ(RunCommand({"replan", in, "-o", out, "--bank", "1=2", "--repair"}).exit_code, 64);
}

TEST(ReplanCommand, SaysThatNothingCanBeSmaller) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", Sums());
  const std::string once = folder.path() + "/once.pte";
  const std::string twice = folder.path() + "/twice.pte";
  ASSERT_EQ(RunCommand({"replan", in, "-o", once, "--runs", "1"}).exit_code, 0);
  const CommandResult result = RunCommand({"replan", once, "-o", twice, "--runs", "1"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("no bank is smaller"));
  EXPECT_EQ(ReadText(once), ReadText(twice));
}

TEST(ReplanCommand, RefusesAWrongPlan) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", Sums(true));
  const std::string out = folder.path() + "/out.pte";
  const CommandResult result = RunCommand({"replan", in, "-o", out});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the plan is unsafe"));
  EXPECT_FALSE(fs::exists(out));
}

TEST(ReplanCommand, RefusesAFileThatLeavesItsPlanOpen) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const CommandResult result = RunCommand(
      {"replan", std::string(PTEPROOF_CORPUS_DIR) + "/reports/trt4445/inplace.pte", "-o", out});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the plan is undecided"));
  EXPECT_FALSE(fs::exists(out));
}

TEST(ReplanCommand, PrintsJsonAndWritesToStandardOutput) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", Sums());
  const std::string out = folder.path() + "/out.pte";
  const auto json =
      nlohmann::json::parse(RunCommand({"replan", in, "-o", out, "--runs", "1", "--json"}).out);
  EXPECT_EQ(json["banks"][0]["peak_live"], 32);
  const CommandResult piped = RunCommand({"replan", in, "-o", "-", "--runs", "1"});
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_EQ(piped.out, ReadText(out));
  EXPECT_THAT(piped.err, HasSubstr("32 fewer"));
}

TEST(ReplanCommand, RefusesWrongOptions) {
  EXPECT_EQ(RunCommand({"replan", "a.pte"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"replan", "a.pte", "-o", "b.pte", "--alignment", "3"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"replan", "a.pte", "-o", "b.pte", "--runs", "-1"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"replan", "missing.pte", "-o", "b.pte"}).exit_code, 66);
}

// Of a large value a small part is needed later: if that were no copy, the large one would be
// there as long.
constexpr const char* kLargeOperand = R"(program
method forward(%x: float32[1, 4] @1:0) {
  %big: float32[256, 4] @1:16 = aten::repeat.out(%x, [256, 1])
  %small: float32[1, 4] @1:4112 = aten::slice_copy.Tensor_out(%big, 0, 0, 1, 1)
  %b0: float32[256, 4] @1:4128 = aten::repeat.out(%small, [256, 1])
  %b1: float32[256, 4] @1:8224 = aten::repeat.out(%small, [256, 1])
  %s0: float32[1, 4] @1:12320 = aten::sum.IntList_out(%b0, [0], true, None)
  %s1: float32[1, 4] @1:12336 = aten::sum.IntList_out(%b1, [0], true, None)
  %q0: float32[1, 4] @1:12352 = aten::add.out(%s0, %s1, 1)
  %out: float32[1, 4] @1:12368 = aten::add.out(%q0, %small, 1)
  return %out
}
)";

TEST(ReplanCommand, MakesNoPlanLargerForDroppedCopies) {
  const TempFolder folder;
  const std::string in = folder.Write("in.pteasm", kLargeOperand);
  const auto size_with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"replan", in, "-o", in + ".pte", "--runs", "1", "--reorder"});
    EXPECT_EQ(RunCommand(options).exit_code, 0);
    return ReadProgramFile(in + ".pte").value().program.methods[0].bank_sizes[1];
  };
  EXPECT_EQ(size_with({}), 4096U + 48);
  EXPECT_EQ(size_with({"--in-place"}), 4096U + 48);
}

// x + x, a copy of it, the sum of both, a copy of that, ...
Method ManyCopies(int count) {
  MethodBuilder m;
  uint64_t at = 0;
  const auto planned = [&] { return m.Planned(1, std::exchange(at, at + 16), {4}); };
  const int32_t x = planned();
  const int32_t none = m.None();
  m.Input(x);
  int32_t last = x;
  for (int n = 0; n < count; ++n) {
    const int32_t sum = planned();
    m.Add(last, x, sum);
    last = planned();
    m.Call("aten::clone.out", {sum, none, last, last});
  }
  m.Output(last);
  return m.Build();
}

// Which takes longer than that in whatever it does first.
TEST(ReplanCommand, EndsInTimeWhateverItIsGiven) {
  const TempFolder folder;
  const std::string in = Saved(folder, "in.pte", ManyCopies(3000));
  const std::string out = folder.path() + "/out.pte";
  const CommandResult result =
      RunCommand({"replan", in, "-o", out, "--in-place", "--reorder", "--time", "0.001"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("replan: stopped after 0.001 s (--time); so far: "));
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace pteproof
