// `check --loader`: whether the loader takes the program, apart from the verdict on its plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pteproof/read.h"
#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string kRelu = PTEPROOF_CORPUS_DIR "/reports/operator-missing/relu_.pte";
const std::string kOne = R"(program

method forward(%x: float32[4] @1:0) banks [0, 32] operators [LISTED] {
  BEFORE
  %y: float32[4] @1:16 = aten::mul.out(%x, %x)
  return %y
}
)";

// One method, with an operator that is listed and a line before its call.
std::string MethodWith(const std::string& listed, const std::string& before = "") {
  std::string text = kOne;
  text.replace(text.find("LISTED"), 6, listed);
  return text.replace(text.find("BEFORE"), 6, before);
}

struct LoadAnswer {
  int exit_code = -1;
  std::string verdict;
  nlohmann::json loads;
  std::vector<std::string> told;  // severity and explanation of the rule's findings
};

LoadAnswer Ask(const std::string& file, std::vector<std::string> words) {
  words.insert(words.begin(), {"check", "--json", file});
  const CommandResult result = RunCommand(words);
  LoadAnswer answer{result.exit_code, "", {}, {}};
  EXPECT_EQ(result.err, "");
  const auto report = nlohmann::json::parse(result.out);
  answer.verdict = report["verdict"];
  answer.loads = report["loads"];
  for (const auto& finding : report["findings"]) {
    if (finding["rule"] != "load-fails") continue;
    answer.told.push_back(finding["severity"].get<std::string>() + ": " +
                          finding["explanation"].get<std::string>());
  }
  return answer;
}

LoadAnswer AskText(const std::string& text, const std::vector<std::string>& words) {
  const TempFolder folder;
  return Ask(folder.Write("m.pteasm", text), words);
}

const std::vector<std::string> kPython = {"--loader", "executorch.runtime@1.5"};

TEST(LoadFails, NamesTheOperatorThatTheLoadersRuntimeLacks) {
  const LoadAnswer answer = Ask(kRelu, kPython);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.verdict, "safe");
  EXPECT_EQ(answer.loads, false);
  ASSERT_EQ(answer.told.size(), 1U);
  EXPECT_THAT(answer.told[0], AllOf(StartsWith("error"), HasSubstr("aten::relu_"),
                                    HasSubstr("executorch.runtime@1.5 does not register it")));
  EXPECT_THAT(RunCommand({"check", kRelu, "-q", "--loader", "executorch.runtime@1.5"}).out,
              HasSubstr("relu_.pte: safe, but executorch.runtime@1.5 refuses to load it\n"));
}

TEST(LoadFails, IsANoteWithoutALoader) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"--operators-of", "wheel"}, {"--policy", "share-all"}}) {
    const LoadAnswer answer = Ask(kRelu, words);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_EQ(answer.loads, nullptr);
    ASSERT_EQ(answer.told.size(), 1U);
    EXPECT_THAT(answer.told[0], AllOf(StartsWith("note"), HasSubstr("aten::relu_")));
  }
}

// The application decides which operators it links.
TEST(LoadFails, LeavesTheOperatorsOfAModuleOpen) {
  const LoadAnswer open = Ask(kRelu, {"--loader", "Module@1.5"});
  EXPECT_EQ(open.exit_code, 0);
  EXPECT_EQ(open.loads, nullptr);
  EXPECT_THAT(open.told.at(0), StartsWith("note"));
  const LoadAnswer older = Ask(kRelu, {"--loader", "executorch.runtime@1.4"});
  EXPECT_EQ(older.loads, nullptr);
  EXPECT_EQ(older.exit_code, 0);
}

TEST(LoadFails, TakesTheOperatorsOfAFile) {
  const TempFolder folder;
  const std::string all = folder.Write(
      "all.txt", "aten::add.out\naten::relu_\ndim_order_ops::_to_dim_order_copy.out\n");
  const LoadAnswer taken = Ask(kRelu, {"--loader", "Module@1.5", "--operators-of", all});
  EXPECT_EQ(taken.exit_code, 0);
  EXPECT_EQ(taken.loads, true);
  EXPECT_THAT(taken.told, IsEmpty());
  const std::string some = folder.Write("some.txt", "aten::relu_ # the only one\n");
  const LoadAnswer refused = Ask(kRelu, {"--loader", "Module@1.5", "--operators-of", some});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.told.at(0), AllOf(HasSubstr("aten::add.out"), HasSubstr("some.txt")));
  EXPECT_EQ(RunCommand({"check", kRelu, "--operators-of", folder.path() + "/none"}).exit_code, 66);
}

TEST(LoadFails, IsSilentAboutWhatTheWheelHas) {
  const LoadAnswer answer = AskText(MethodWith("aten::mul.out"), kPython);
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.loads, true);
  EXPECT_THAT(answer.told, IsEmpty());
}

// XNNPACK's weights are named data of the program, or of a data file.
TEST(LoadFails, NamesTheDataThatABlobIsLoadedWith) {
  const std::string whole = PTEPROOF_CORPUS_DIR "/delegates/real/xnnpack_lin_dyn.pte";
  EXPECT_EQ(Ask(whole, kPython).loads, true);
  const auto read = ReadProgramFile(whole);
  ASSERT_TRUE(read.ok());
  Program program = read.value().program;
  ASSERT_FALSE(program.named_data.empty());
  const std::string key = program.named_data.front().key;
  program.named_data.erase(program.named_data.begin());
  const TempFolder folder;
  const std::vector<std::byte> bytes = WriteProgram(program).value();
  const std::string file =
      folder.Write("m.pte", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const LoadAnswer answer = Ask(file, kPython);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_EQ(answer.loads, false);
  ASSERT_EQ(answer.told.size(), 1U);
  EXPECT_THAT(answer.told[0], AllOf(StartsWith("error"), HasSubstr("XNNPACK"), HasSubstr(key)));
  EXPECT_THAT(Ask(file, {}).told, testing::ElementsAre(StartsWith("note")));
}

// An operator that is listed and not called is not looked up.
TEST(LoadFails, AsksForCalledOperatorsOnly) {
  const LoadAnswer answer = AskText(MethodWith("aten::mul.out, my::op.out"), kPython);
  EXPECT_EQ(answer.loads, true);
}

TEST(LoadFails, LeavesAnOperatorOpenThatAnImportRegisters) {
  const std::string text = MethodWith("llama::fallback.out, aten::mul.out",
                                      "%z: float32[4] @1:16 = llama::fallback.out(%x)");
  const LoadAnswer answer = AskText(text, kPython);
  EXPECT_EQ(answer.loads, nullptr);
  ASSERT_EQ(answer.told.size(), 1U);
  EXPECT_THAT(answer.told[0], AllOf(StartsWith("note"), HasSubstr("`import executorch.")));
}

TEST(LoadFails, TellsOfDelegatesThatTheWheelDoesNotRegister) {
  const auto with = [](const std::string& id) {
    return MethodWith("aten::mul.out", "delegate \"" + id + "\" = zeros(8)");
  };
  EXPECT_EQ(AskText(with("XnnpackBackend"), kPython).loads, true);
  const LoadAnswer missing = AskText(with("VulkanBackend"), kPython);
  EXPECT_EQ(missing.loads, false);
  EXPECT_THAT(missing.told.at(0), AllOf(StartsWith("error"), HasSubstr("VulkanBackend")));
  // On another platform, or with a library that is not part of the wheel.
  for (const char* sometimes : {"CoreMLBackend", "OpenvinoBackend", "QnnBackend"}) {
    EXPECT_EQ(AskText(with(sometimes), kPython).loads, nullptr) << sometimes;
  }
  EXPECT_EQ(AskText(with("VulkanBackend"), {"--loader", "Module@1.5"}).loads, nullptr);
  EXPECT_THAT(AskText(with("VulkanBackend"), {}).told, IsEmpty());
}

TEST(LoadFails, TellsOfBanksOnADeviceThatTheWheelHasNoMemoryOf) {
  std::string text = MethodWith("aten::mul.out");
  text.replace(text.find(" operators"), 0, " bank 1 on(1, 0)");
  EXPECT_EQ(AskText(text, kPython).loads, false);
  EXPECT_EQ(AskText(text, {"--loader", "Module@1.5"}).loads, nullptr);
}

TEST(LoadFails, TellsOfDataThatAreNotGiven) {
  const std::string text = MethodWith("aten::mul.out", "%w: float32[2] external \"weight\"");
  const LoadAnswer note = AskText(text, {});
  EXPECT_EQ(note.exit_code, 0);
  EXPECT_THAT(note.told.at(0), AllOf(StartsWith("note"), HasSubstr("weight")));
  const LoadAnswer error = AskText(text, kPython);
  EXPECT_EQ(error.exit_code, 1);
  EXPECT_THAT(error.told.at(0), StartsWith("error"));
}

// A file from which its table of constants is taken: the form of early files.
std::string WithoutTableOfConstants() {
  std::string bytes = ReadText(PTEPROOF_CORPUS_DIR "/crafted/legal/no-constants-no-header.pte");
  int32_t root = 0;
  int32_t to_vtable = 0;
  std::memcpy(&root, bytes.data(), sizeof root);
  std::memcpy(&to_vtable, bytes.data() + root, sizeof to_vtable);
  const auto entry = static_cast<size_t>(root - to_vtable + 4 + 2 * 5);  // of field 5
  return bytes.replace(entry, 2, 2, '\0');
}

TEST(LoadFails, TellsOfFilesWithoutATableOfConstants) {
  const TempFolder folder;
  const std::string file = folder.Write("early.pte", WithoutTableOfConstants());
  const LoadAnswer refused = Ask(file, kPython);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.loads, false);
  EXPECT_EQ(Ask(file, {}).told.size(), 0U);
  const std::string old_header = PTEPROOF_CORPUS_DIR "/crafted/legal/header-of-24-bytes.pte";
  EXPECT_EQ(Ask(old_header, kPython).loads, nullptr);
}

TEST(LoadFails, IsNoReasonAgainstAProofWhichNamesTheMissingData) {
  const TempFolder folder;
  const std::string file =
      folder.Write("m.pteasm", MethodWith("aten::mul.out", "%w: float32[2] external \"weight\""));
  const CommandResult proof = RunCommand({"prove", file});
  EXPECT_EQ(proof.exit_code, 0);
  EXPECT_THAT(proof.err, HasSubstr("The program needs 1 tensor from outside: weight."));
}

TEST(LoadFails, CanBeAccepted) {
  const TempFolder folder;
  const std::string manifest = folder.Write(
      "m.json",
      R"({"pteproof": 1, "suppress": [{"rule": "load-fails", "reason": "ours has it"}]})");
  const LoadAnswer answer =
      Ask(kRelu, {"--loader", "executorch.runtime@1.5", "--manifest", manifest});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.verdict, "safe");
  const CommandResult standard =
      RunCommand({"check", kRelu, "--loader", "executorch.runtime@1.5", "--ignore", "load-fails"});
  EXPECT_EQ(standard.exit_code, 0);
  EXPECT_EQ(RunCommand({"check", kRelu, "--loader", "executorch.runtime@1.5", "--fail-on", "error"})
                .exit_code,
            1);
}

TEST(LoadFails, IsCountedForManyFiles) {
  const CommandResult result =
      RunCommand({"check", "-q", kRelu, PTEPROOF_CORPUS_DIR "/public/add_model.pte", "--loader",
                  "executorch.runtime@1.5"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("2 files: 2 safe, refused by the loader: 1\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("add_model.pte: safe, but")));
}

}  // namespace
}  // namespace pteproof
