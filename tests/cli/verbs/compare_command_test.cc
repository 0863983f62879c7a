#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

// x + x, with the sum at that offset.
Method DoublesAt(uint64_t offset, bool squares = false) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t sum = b.Planned(1, offset, {4});
  b.Input(x);
  if (squares) {
    b.Mul(x, x, sum);
  } else {
    b.Add(x, x, sum);
  }
  b.Output(sum);
  return b.Build();
}

std::string Saved(const TempFolder& folder, const std::string& name, const Method& method) {
  const auto bytes = WriteProgram(ProgramOf({method}));
  return folder.Write(name,
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

// A Module of one call.
std::string TextOf(const std::string& op) {
  return "method forward(%x: float32[4]) {\n  %0: float32[4] = aten::" + op +
         ".out(%x)\n  return %0\n}\n";
}

// The Module's file; its plan lies beside it.
std::string PlannedIn(const TempFolder& folder, const std::string& name, const std::string& text) {
  const std::string module = folder.Write(name + ".module", text);
  EXPECT_EQ(RunCommand({"plan", module, "-o", folder.path() + "/" + name + ".pte"}).exit_code, 0);
  return module;
}

TEST(CompareCommand, ProvesThatAMovedPlanIsTheSame) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  const std::string b = Saved(folder, "b.pte", DoublesAt(32));
  const CommandResult result = RunCommand({"compare", a, b});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("forward under every policy: same; proved for all inputs"));
  EXPECT_THAT(result.out, HasSubstr("forward bank 1: 48 bytes instead of 32 (+16)"));
}

TEST(CompareCommand, NamesTheInstructionThatDiffers) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  const std::string b = Saved(folder, "b.pte", DoublesAt(16, true));
  const CommandResult result = RunCommand({"compare", a, b});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("a run shows it"));
  EXPECT_THAT(result.out, HasSubstr("new: instruction 0, v1: byte 0 of the result of instruction "
                                    "0 (aten::mul.out)"));
  EXPECT_EQ(RunCommand({"compare", a, b, "--fail-on", "interface"}).exit_code, 0);
}

TEST(CompareCommand, FailsOnGrowthBeyondTheLimit) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  const std::string b = Saved(folder, "b.pte", DoublesAt(32));
  EXPECT_EQ(RunCommand({"compare", a, b, "--fail-on", "memory"}).exit_code, 1);
  EXPECT_EQ(RunCommand({"compare", a, b, "--max-growth", "16"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", a, b, "--max-growth", "15"}).exit_code, 1);
  EXPECT_EQ(RunCommand({"compare", a, b, "--max-growth", "50%"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", a, b, "--max-growth", "40%"}).exit_code, 1);
  EXPECT_EQ(RunCommand({"compare", b, a, "--fail-on", "memory,size"}).exit_code, 0);
}

TEST(CompareCommand, PrintsJson) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  const std::string b = Saved(folder, "b.pte", DoublesAt(16, true));
  const CommandResult result = RunCommand({"compare", a, b, "--json", "--runs", "3"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["failed"], nlohmann::json::parse(R"(["computation"])"));
  EXPECT_EQ(json["interface"]["answer"], "same");
  const auto& method = json["computation"]["methods"][0];
  EXPECT_EQ(method["answer"], "differs");
  EXPECT_EQ(method["proved"], false);
  EXPECT_EQ(method["difference"]["new"]["instruction"], 0);
}

TEST(CompareCommand, ComparesAModuleWithItsPlan) {
  const TempFolder folder;
  const std::string module = PlannedIn(folder, "m", TextOf("relu"));
  const std::string other = folder.Write("n.module", TextOf("neg"));
  const std::string planned = folder.path() + "/m.pte";
  const CommandResult same = RunCommand({"compare", module, planned});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("same; proved for all inputs"));
  EXPECT_EQ(RunCommand({"compare", other, planned}).exit_code, 1);
  EXPECT_EQ(RunCommand({"compare", planned, other, "--json"}).exit_code, 1);
  EXPECT_EQ(RunCommand({"compare", module, other}).exit_code, 64);
}

TEST(CompareCommand, IsWhereDiffOfTwoFilesPointsTo) {
  const CommandResult result = RunCommand({"diff", "a.pte", "b.pte"});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("pteproof compare OLD NEW"));
}

TEST(CompareCommand, SaysWhatCannotBeRead) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  EXPECT_EQ(RunCommand({"compare", a, "none.pte"}).exit_code, 66);
  EXPECT_EQ(RunCommand({"compare", folder.Write("bad.pte", "no program"), a}).exit_code, 2);
  EXPECT_EQ(RunCommand({"compare", a, a, "--max-growth", "much"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"compare", a, a, "--only", "none"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"compare", a, a, "--only", "forward"}).exit_code, 0);
}

TEST(CompareCommand, MatchesUnnamedStateThatMoved) {
  const auto keeps = [](uint64_t offset) {
    MethodBuilder b("forward");
    const int32_t x = b.Planned(1, 0, {4});
    const int32_t state = b.Planned(1, offset, {4});
    const int32_t sum = b.Planned(1, 16, {4});
    b.Input(x);
    b.Add(x, state, sum);
    b.Copy(state, sum);
    b.Output(sum);
    return b.Build();
  };
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", keeps(32));
  const std::string b = Saved(folder, "b.pte", keeps(64));
  EXPECT_EQ(RunCommand({"compare", a, a}).exit_code, 0);
  const CommandResult moved = RunCommand({"compare", a, b, "--fail-on", "computation"});
  EXPECT_EQ(moved.exit_code, 0) << moved.out;
  EXPECT_THAT(moved.out, HasSubstr("assumes that buffers without a name are the same"));
}

TEST(CompareCommand, NamesMethodsOfOneFileOnly) {
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", DoublesAt(16));
  const std::string b = Saved(folder, "b.pte", DoublesAt(16));
  Method more = DoublesAt(32);
  more.name = "more";
  const auto bytes = WriteProgram(ProgramOf({DoublesAt(16), more}));
  const std::string c = folder.Write(
      "c.pte", {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
  const CommandResult result = RunCommand({"compare", a, c, "--fail-on", "computation"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("same, of the methods that both have; not compared: more"));
  EXPECT_THAT(result.out, HasSubstr("The methods of both compute the same"));
  const auto json = nlohmann::json::parse(RunCommand({"compare", a, c, "--json"}).out);
  EXPECT_EQ(json["computation"]["in_one_only"], nlohmann::json::parse(R"(["more"])"));
  EXPECT_THAT(RunCommand({"compare", a, b}).out, HasSubstr("Both compute the same"));
}

TEST(CompareCommand, PrintsWhatSamenessRestsOn) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t out = b.Planned(1, 16, {4});
  b.Input(x);
  b.Call("my::op.out", {x, out, out});
  b.Output(out);
  const TempFolder folder;
  const std::string a = Saved(folder, "a.pte", b.Build());
  EXPECT_THAT(
      RunCommand({"compare", a, a}).out,
      HasSubstr("    assumes that operator 'my::op.out' reads and writes its arguments and a "
                "state of its own, and nothing else\n"));
  const auto json = nlohmann::json::parse(RunCommand({"compare", a, a, "--json"}).out);
  EXPECT_EQ(json["computation"]["methods"][0]["assumes"].size(), 1U);
}

// A loader that keeps the methods' banks apart keeps their buffers apart as well.
TEST(CompareCommand, DiffersFromAModuleWhoseMethodsShareABufferUnderALoaderThatDoesNot) {
  const TempFolder folder;
  const std::string module = PlannedIn(folder, "m",
                                       "buffer @k: float32[4] shared\n"
                                       "method put(%x: float32[4]) {\n"
                                       "  return %x\n"
                                       "  store @k = %x\n"
                                       "}\n"
                                       "method get() {\n"
                                       "  %0 = entry @k\n"
                                       "  %1: float32[4] = aten::neg.out(%0)\n"
                                       "  return %1\n"
                                       "}\n");
  const std::string planned = folder.path() + "/m.pte";
  const CommandResult shared = RunCommand({"compare", module, planned, "--policy", "share-1-2"});
  EXPECT_EQ(shared.exit_code, 0) << shared.out << shared.err;
  const CommandResult apart = RunCommand({"compare", module, planned, "--policy", "private"});
  EXPECT_EQ(apart.exit_code, 1) << apart.out;
  EXPECT_THAT(apart.out, HasSubstr("buffer 'k', which 'get' has in another memory"));
}

// (x + x) * x, of which the sum may lie over x.
std::string SavedTimes(const TempFolder& folder, const std::string& name, uint64_t sum_at) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t sum = b.Planned(1, sum_at, {4});
  const int32_t product = b.Planned(1, 48, {4});
  b.Input(x);
  b.Add(x, x, sum);
  b.Mul(sum, x, product);
  b.Output(product);
  return Saved(folder, name, b.Build());
}

TEST(CompareCommand, ReadsTheOldProgramAsItIsMeantIfAsked) {
  const TempFolder folder;
  const std::string lost = SavedTimes(folder, "lost.pte", 0);
  const std::string sound = SavedTimes(folder, "sound.pte", 16);
  EXPECT_EQ(RunCommand({"compare", lost, sound, "--fail-on", "computation"}).exit_code, 1);
  const CommandResult meant =
      RunCommand({"compare", lost, sound, "--meant", "--fail-on", "computation"});
  EXPECT_EQ(meant.exit_code, 0) << meant.out;
  EXPECT_THAT(
      meant.out,
      HasSubstr("computation   same; compared with what the old program was meant to compute\n"));
  EXPECT_THAT(meant.out,
              HasSubstr("The new program computes what the old one was meant to: proved"));
  EXPECT_THAT(RunCommand({"compare", sound, lost, "--meant"}).out,
              HasSubstr("The new program does not compute what the old one was meant to."));
  const auto json =
      nlohmann::json::parse(RunCommand({"compare", lost, sound, "--meant", "--json"}).out);
  EXPECT_EQ(json["computation"]["old_read"], "meant");
}

TEST(CompareCommand, ReadsNoModuleAsMeant) {
  const TempFolder folder;
  const std::string module = PlannedIn(folder, "m", TextOf("relu"));
  const std::string planned = folder.path() + "/m.pte";
  EXPECT_EQ(RunCommand({"compare", planned, module, "--meant"}).exit_code, 0);
  const CommandResult refused = RunCommand({"compare", module, planned, "--meant"});
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("--meant is about a program"));
}

TEST(CompareCommand, ConfirmsARefutationOfAModuleByARun) {
  const TempFolder folder;
  const std::string relu = PlannedIn(folder, "relu", TextOf("relu"));
  const std::string neg = PlannedIn(folder, "neg", TextOf("neg"));
  const CommandResult result = RunCommand({"compare", relu, folder.path() + "/neg.pte"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("differs; a run shows it: random call 1 of 'forward'"));
  EXPECT_THAT(RunCommand({"compare", relu, folder.path() + "/neg.pte", "--runs", "0"}).out,
              HasSubstr("differs; other terms\n"));
}

TEST(CompareCommand, ComparesUnknownCallsOfAModuleByNameAndOperands) {
  const TempFolder folder;
  const auto text = [](const std::string& operands) {
    return "method forward(%x: float32[4], %y: float32[4]) {\n"
           "  %0: float32[4] = my::op.out(" +
           operands +
           ", 3)\n"
           "  %1: float32[4], %2: float32[2] = my::two.default([%0, %x])\n"
           "  return %1, %2\n}\n";
  };
  const std::string one = PlannedIn(folder, "one", text("%x, %y"));
  const std::string two = PlannedIn(folder, "two", text("%y, %x"));
  const CommandResult same = RunCommand({"compare", one, folder.path() + "/one.pte"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("assumes that operator 'my::op.out' reads and writes its"));
  EXPECT_EQ(RunCommand({"compare", two, folder.path() + "/one.pte"}).exit_code, 1);
}

TEST(CompareCommand, ComparesDelegatesOfAModuleByIdAndOperands) {
  const TempFolder folder;
  const auto text = [](const std::string& operands) {
    return "buffer @k: float32[4]\n"
           "method forward(%x: float32[4], %y: float32[4]) {\n"
           "  %0: float32[4] = delegate \"Some\"(" +
           operands +
           ") shares(@k writes)\n"
           "  %1: float32[4] = aten::neg.out(%0)\n"
           "  return %1\n}\n";
  };
  const std::string one = PlannedIn(folder, "one", text("%x, %y"));
  const std::string two = PlannedIn(folder, "two", text("%y, %x"));
  const CommandResult same = RunCommand({"compare", one, folder.path() + "/one.pte"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out,
              HasSubstr("assumes that the blob of delegate 'Some' is what the Module means by it"));
  EXPECT_EQ(RunCommand({"compare", two, folder.path() + "/one.pte"}).exit_code, 1);
}

// x * c, where c is the constant (2, 4, 6, 8), or any of these is another number.
std::string SavedFolded(const TempFolder& folder, const std::string& name, float last) {
  MethodBuilder b("forward");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t c = b.Constant(1, {4});
  const int32_t product = b.Planned(1, 16, {4});
  b.Input(x);
  b.Mul(x, c, product);
  b.Output(product);
  const float numbers[] = {2, 4, 6, last};
  Program program = ProgramOf({b.Build()});
  program.constants = {Bytes{}, std::as_bytes(std::span(numbers))};
  const auto bytes = WriteProgram(program);
  return folder.Write(name,
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

TEST(CompareCommand, EvaluatesWhatAnExporterFoldsIntoAConstant) {
  const TempFolder folder;
  const std::string module = folder.Write("m.module",
                                          "buffer @c: float32[4] = [1.0, 2.0, 3.0, 4.0]\n"
                                          "method forward(%x: float32[4]) {\n"
                                          "  %0 = entry @c\n"
                                          "  %1: float32[4] = aten::add.out(%0, %0, 1)\n"
                                          "  %2: float32[4] = aten::mul.out(%x, %1)\n"
                                          "  return %2\n"
                                          "}\n");
  const CommandResult same = RunCommand({"compare", module, SavedFolded(folder, "folded.pte", 8)});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("same; proved for all inputs"));
  EXPECT_EQ(RunCommand({"compare", module, SavedFolded(folder, "other.pte", 9)}).exit_code, 1);
}

// With running statistics the saved ones are left alone, and have no elements.
TEST(CompareCommand, ComparesCallsThatLeaveAResultAlone) {
  const TempFolder folder;
  const std::string call =
      "method f(%x: float32[1, 2, 3, 3], %s: float32[2]) {\n"
      "  %0: float32[1, 2, 3, 3], %1: float32[0], %2: float32[0] = "
      "aten::_native_batch_norm_legit_no_training.out(%x, %s, %s, %s, %s, 0.1, ";
  const std::string module = PlannedIn(folder, "m", call + "1e-05)\n  return %0\n}\n");
  const std::string other = folder.Write("n.module", call + "1e-03)\n  return %0\n}\n");
  const std::string planned = folder.path() + "/m.pte";
  EXPECT_THAT(RunCommand({"compare", module, planned}).out, HasSubstr("proved for all inputs"));
  EXPECT_EQ(RunCommand({"compare", other, planned}).exit_code, 1);
}

// A result that is there twice, and an update of what a move named anew.
TEST(CompareCommand, FindsWhatAProgramIsMeantToComputeInTheProgram) {
  const TempFolder folder;
  const std::string twice = folder.Write("twice.pteasm", R"(program
method a(%x: float32[6] @1:0) {
  %p: float32[2] @1:32
  %q: float32[2] @1:40
  %l: tensors[%p, %q, %p]
  call aten::split_copy.Tensor_out(%x, 2, 0, %l, %l)
  %o: float32[2] @1:48 = aten::mul.out(%p, %q)
  return %o
}
)");
  const std::string moved = folder.Write("moved.pteasm", R"(program
method a(%x: float32[4] @1:0) {
  %y: float32[4] @1:16 = aten::mul.out(%x, %x)
  %m: float32[4] = move %y
  %m = aten::add_.Tensor(%m, %x, 1)
  %o: float32[4] @1:32 = aten::mul.out(%m, %m)
  return %o
}
)");
  for (const std::string& file : {twice, moved}) {
    const CommandResult result = RunCommand({"compare", "--meant", file, file});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
}

}  // namespace
}  // namespace pteproof
