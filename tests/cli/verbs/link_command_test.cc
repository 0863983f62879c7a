// Programs that ExecuTorch's exporter wrote apart, linked: PyTorch's values on all recorded calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path kLinkCases = PTEPROOF_CORPUS_DIR "/link";

std::vector<std::string> FilesOf(const std::string& name) {
  std::vector<std::string> files;
  const auto recording = ReadRecording(kLinkCases / name / "calls.json");
  for (const std::string& part : recording.value().parts) {
    files.push_back((kLinkCases / name / part).string());
  }
  return files;
}

CommandResult Linked(std::vector<std::string> files, const std::string& out,
                     const std::vector<std::string>& flags = {}) {
  std::vector<std::string> words = {"link", "-o", out, "--runs", "20"};
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), flags.begin(), flags.end());
  return RunCommand(words);
}

// The line of `link` on memory is that of `memory` on the written file.
TEST(LinkedMemory, IsThatOfTheWrittenFile) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const std::string line = Linked(FilesOf("encoder_decoder"), out).out;
  const auto memory = nlohmann::json::parse(RunCommand({"memory", out, "--json"}).out);
  uint64_t most = 0;
  for (const auto& loader : memory.at("loaders")) {
    most = std::max(most, loader.at("at_peak").get<uint64_t>());
  }
  EXPECT_THAT(line, HasSubstr(" to " + std::to_string(most) + " bytes at the peak"));
}

class LinkedCase : public testing::TestWithParam<std::string> {};

TEST_P(LinkedCase, GivesPyTorchsValuesOnEveryCall) {
  RecordProperty("slow", "links and runs a model of many methods");
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const std::string manifest = folder.path() + "/out.manifest.json";
  const CommandResult linked = Linked(FilesOf(GetParam()), out);
  ASSERT_EQ(linked.exit_code, 0) << linked.err;
  EXPECT_THAT(linked.out, AllOf(HasSubstr("computation same"), Not(HasSubstr("not proved"))));
  const std::string calls = (kLinkCases / GetParam() / "calls.json").string();
  for (const char* policy : {"share-1-2", "share-all"}) {
    for (const char* verb : {"run", "eval"}) {
      const CommandResult made = RunCommand({verb, out, "--calls", calls, "--policy", policy,
                                             "--compare", "eager", "--manifest", manifest});
      EXPECT_EQ(made.exit_code, 0) << policy << made.out << made.err;
      EXPECT_THAT(made.out, HasSubstr("calls agree, 0 differ"));
    }
    for (const char* verb : {"check", "prove", "diff"}) {
      const CommandResult judged =
          RunCommand({verb, out, "--policy", policy, "--manifest", manifest});
      EXPECT_EQ(judged.exit_code, 0) << verb << judged.out << judged.err;
    }
    const CommandResult tagged = RunCommand({"run", out, "--mode", "tagged", "--calls", calls,
                                             "--policy", policy, "--manifest", manifest});
    EXPECT_THAT(tagged.out, HasSubstr("Proof: every method is a straight line"));
  }
}

TEST_P(LinkedCase, IsTheSameWhateverTheOrderOfFiles) {
  RecordProperty("slow", "links and runs a model of many methods");
  const TempFolder folder;
  std::vector<std::string> files = FilesOf(GetParam());
  ASSERT_EQ(Linked(files, folder.path() + "/a.pte").exit_code, 0);
  std::ranges::reverse(files);
  ASSERT_EQ(Linked(files, folder.path() + "/b.pte").exit_code, 0);
  EXPECT_EQ(ReadText(folder.path() + "/a.pte"), ReadText(folder.path() + "/b.pte"));
  EXPECT_EQ(ReadText(folder.path() + "/a.manifest.json"),
            ReadText(folder.path() + "/b.manifest.json"));
}

TEST_P(LinkedCase, IsTheSameAfterItWasSplit) {
  RecordProperty("slow", "links and runs a model of many methods");
  const TempFolder folder;
  const std::string whole = folder.path() + "/whole.pte";
  ASSERT_EQ(Linked(FilesOf(GetParam()), whole).exit_code, 0);
  std::vector<std::string> parts;
  for (const std::string& file : FilesOf(GetParam())) {
    const std::string method = fs::path(file).stem().string();
    parts.push_back(folder.path() + "/" + method + ".pte");
    const CommandResult split = RunCommand({"split", whole, method, "-o", parts.back()});
    ASSERT_EQ(split.exit_code, 0) << split.err;
    EXPECT_EQ(RunCommand({"check", parts.back(), "--policy", "share-all"}).exit_code, 0);
  }
  const std::string again = folder.path() + "/again.pte";
  const CommandResult linked = Linked(parts, again);
  ASSERT_EQ(linked.exit_code, 0) << linked.err;
  EXPECT_EQ(ReadText(whole), ReadText(again));
  EXPECT_EQ(ReadText(folder.path() + "/whole.manifest.json"),
            ReadText(folder.path() + "/again.manifest.json"));
}

INSTANTIATE_TEST_SUITE_P(Own, LinkedCase,
                         testing::Values("cache", "count", "lm", "encoder_decoder", "llama"),
                         [](const auto& name) { return name.param; });

TEST(LinkCommand, StoresEqualWeightsOnce) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  ASSERT_EQ(Linked(FilesOf("lm"), out).exit_code, 0);
  const auto one = ReadProgramFile(FilesOf("lm")[0]);
  const auto both = ReadProgramFile(out);
  ASSERT_TRUE(one.ok() && both.ok());
  EXPECT_EQ(both.value().program.constants.size(), one.value().program.constants.size());
}

TEST(LinkCommand, WritesACertificate) {
  const TempFolder folder;
  const std::string certificate = folder.path() + "/certificate.json";
  const CommandResult linked = Linked(FilesOf("count"), folder.path() + "/out.pte",
                                      {"--certificate", certificate, "--json"});
  ASSERT_EQ(linked.exit_code, 0) << linked.err;
  const auto json = nlohmann::json::parse(linked.out);
  const auto file = nlohmann::json::parse(ReadText(certificate));
  EXPECT_EQ(file["shown"], json);
  EXPECT_EQ(file["claims"]["share-all"], "safe");
  EXPECT_EQ(json["holds"], true);
  EXPECT_EQ(json["shared"][1]["name"], "sum");
  EXPECT_EQ(json["shared"][1]["offset"], 16);
  EXPECT_EQ(json["check"]["share-all"], "safe");
  EXPECT_EQ(json["check"]["private"], "unsafe");
  EXPECT_EQ(json["buffers_set_by_et_module_init"], 2);
}

TEST(LinkCommand, StoresInitialValuesInTheFileIfAsked) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const CommandResult linked = Linked(FilesOf("count"), out, {"--initial", "file"});
  ASSERT_EQ(linked.exit_code, 0) << linked.err;
  EXPECT_THAT(linked.out, HasSubstr("stored"));
  const CommandResult made =
      RunCommand({"run", out, "--calls", (kLinkCases / "count/calls.json").string(), "--policy",
                  "share-1-2", "--load", "all-first", "--compare", "eager"});
  EXPECT_THAT(made.out, HasSubstr("8 calls agree, 0 differ, 0 have no reference"));
}

// Two files that define a method of one name, and one of which has a buffer of another size.
std::string SavedForward(const TempFolder& folder, const std::string& name, int32_t size) {
  MethodBuilder m("forward");
  const int32_t state = m.Planned(1, 0, {size}, "s");
  const int32_t x = m.Planned(1, 64, {size});
  m.Input(x);
  m.Copy(state, x);
  const auto bytes = WriteProgram(ProgramOf({m.Build()}));
  return folder.Write(name,
                      {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
}

TEST(LinkCommand, RenamesMethodsOfOneName) {
  const TempFolder folder;
  const std::string a = SavedForward(folder, "a.pte", 4);
  const std::string b = SavedForward(folder, "b.pte", 4);
  const std::string out = folder.path() + "/out.pte";
  const CommandResult clash = Linked({a, b}, out, {"--share", "s"});
  EXPECT_EQ(clash.exit_code, 1);
  EXPECT_THAT(clash.err, AllOf(HasSubstr(a), HasSubstr(b), HasSubstr("--rename")));
  EXPECT_FALSE(fs::exists(out));
  const CommandResult linked =
      Linked({a, b}, out, {"--share", "s", "--rename", "b.pte:forward=decode"});
  EXPECT_EQ(linked.exit_code, 0) << linked.err;
  EXPECT_EQ(ReadProgramFile(out).value().program.methods[0].name, "decode");
}

TEST(LinkCommand, NamesBothFilesIfABufferHasSeveralTypes) {
  const TempFolder folder;
  const std::string a = SavedForward(folder, "a.pte", 4);
  const std::string b = SavedForward(folder, "b.pte", 8);
  const CommandResult result =
      Linked({a, b}, folder.path() + "/out.pte", {"--share", "*", "--rename", "b.pte:forward=g"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("float32 [4] in 'forward' of " + a),
                                HasSubstr("float32 [8] in 'g' of " + b)));
}

TEST(LinkCommand, LeavesOpenWhetherStateWithoutANameIsTheSame) {
  const TempFolder folder;
  MethodBuilder m("count");
  const int32_t state = m.Planned(1, 32, {4});  // it moves to the start
  const int32_t x = m.Planned(1, 0, {4});
  const int32_t y = m.Planned(1, 16, {4});
  m.Input(x);
  m.Add(state, x, y);
  m.Copy(state, y);
  m.Output(y);
  const auto bytes = WriteProgram(ProgramOf({m.Build()}));
  const std::string file = folder.Write(
      "count.pte", {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
  const CommandResult result = Linked({file, FilesOf("lm")[0]}, folder.path() + "/out.pte");
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("may be state without a name"));
}

TEST(LinkCommand, RefusesAnUnsafePlan) {
  const TempFolder folder;
  const CommandResult result =
      Linked({PTEPROOF_CORPUS_DIR "/real/bugs/in-place-two-users/in-place-two-users.pte"},
             folder.path() + "/out.pte");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("the plan is unsafe"), HasSubstr("in-place-single-use")));
}

TEST(LinkCommand, TakesAManifestForEachProgram) {
  const TempFolder folder;
  const std::vector<std::string> files = FilesOf("cache");
  std::vector<std::string> flags;
  std::vector<std::string> alone;
  for (const std::string& file : files) {
    const fs::path beside = fs::path(file).replace_extension(".manifest.json");
    alone.push_back(folder.Write(fs::path(file).filename().string(), ReadText(file)));
    flags.insert(flags.end(), {"--manifest", beside.string()});
  }
  ASSERT_EQ(Linked(files, folder.path() + "/beside.pte").exit_code, 0);
  const CommandResult named = Linked(alone, folder.path() + "/named.pte", flags);
  ASSERT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(ReadText(folder.path() + "/named.pte"), ReadText(folder.path() + "/beside.pte"));
  flags.resize(2);
  const CommandResult one = Linked(alone, folder.path() + "/one.pte", flags);
  EXPECT_EQ(one.exit_code, 64);
  EXPECT_THAT(one.err, HasSubstr("--manifest is there 1 times, for 2 programs"));
}

TEST(ReplanCommand, SharesBuffersOfOneFileAsLinkDoes) {
  const TempFolder folder;
  const std::string file = PTEPROOF_CORPUS_DIR "/real/models/names_unshared/names_unshared.pte";
  const std::string out = folder.path() + "/out.pte";
  const std::vector<std::string> flags = {"--share", "*", "--no-manifest"};
  ASSERT_EQ(Linked({file}, folder.path() + "/linked.pte", flags).exit_code, 0);
  std::vector<std::string> words = {"replan", file, "-o", out, "--runs", "20"};
  words.insert(words.end(), flags.begin(), flags.end());
  const CommandResult replanned = RunCommand(words);
  ASSERT_EQ(replanned.exit_code, 0) << replanned.err;
  EXPECT_THAT(replanned.out, HasSubstr("shared buffer"));
  EXPECT_EQ(ReadText(out), ReadText(folder.path() + "/linked.pte"));
  for (const char* other : {"--in-place", "--repair", "--move-state"}) {
    words.push_back(other);
    EXPECT_EQ(RunCommand(words).exit_code, 64) << other;
    words.pop_back();
  }
}

TEST(LinkCommand, RefusesWrongUses) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const std::vector<std::string> files = FilesOf("cache");
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--policy", "private"}, "nothing would be shared"},
      {{"--alignment", "24"}, "not a power of two"},
      {{"--rename", "put.pte"}, "write FILE:METHOD=NEW"},
      {{"--rename", "nobody.pte:put=a"}, "no file nobody.pte is linked"},
      {{"--rename", "put.pte:get=a"}, "has no method 'get' (it has put)"},
      {{"--initial", "nowhere"}, "method"}};
  for (const auto& [flags, told] : wrong) {
    const CommandResult result = Linked(files, out, flags);
    EXPECT_EQ(result.exit_code, 64) << told;
    EXPECT_THAT(result.err, HasSubstr(told));
  }
  EXPECT_EQ(Linked(files, "-").exit_code, 64);
  EXPECT_EQ(RunCommand({"link", "-o", out}).exit_code, 64);
  EXPECT_EQ(Linked({"nobody.pte"}, out).exit_code, 66);
  EXPECT_EQ(Linked(files, out, {"--share", "kash*"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(out));
}

TEST(SplitCommand, RefusesWrongUses) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.pte";
  const std::string file = FilesOf("cache")[0];
  EXPECT_EQ(RunCommand({"split", file, "-o", out}).exit_code, 64);
  EXPECT_EQ(RunCommand({"split", file, "put", "-o", "-"}).exit_code, 64);
  const CommandResult unknown = RunCommand({"split", file, "get", "-o", out});
  EXPECT_EQ(unknown.exit_code, 64);
  EXPECT_THAT(unknown.err, HasSubstr("put"));
  EXPECT_EQ(RunCommand({"split", "nobody.pte", "put", "-o", out}).exit_code, 66);
}

}  // namespace
}  // namespace pteproof
