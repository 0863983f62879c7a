// The command as it is called from within a program.
#include "cli/io/hosted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/arguments/command_line.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/paint.h"
#include "cli/io/store_file.h"
#include "cli/io/terminal.h"
#include "cli/load/beside.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmall = std::string(PTEPROOF_CORPUS_DIR) + "/public/add_model.pte";

class HostedTest : public ::testing::Test {
 protected:
  HostedTest() { HostOfThread() = &host; }
  ~HostedTest() override { HostOfThread() = nullptr; }

  Hosted host;
};

TEST_F(HostedTest, ReadsTheCallersMemoryInPlace) {
  const std::string content = "bytes";
  host.files["<program>"] = std::as_bytes(std::span(content));
  const auto read = LoadFile("<program>");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value()->data(), static_cast<const void*>(content.data()));
  EXPECT_EQ(read.value()->size(), content.size());
  EXPECT_TRUE(LoadFile(kSmall).ok());
  EXPECT_FALSE(LoadFile("<other>").ok());
}

TEST_F(HostedTest, FindsInMemoryWhatLiesBesideAProgramThere) {
  host.files["<program>"] = {};
  EXPECT_EQ(Beside("<program>", kManifestSuffix), "");
  host.files["<program>.manifest.json"] = {};
  EXPECT_EQ(Beside("<program>", kManifestSuffix), "<program>.manifest.json");
  const TempFolder folder;
  const std::string file = folder.Write("m.pte", "");
  folder.Write("m.manifest.json", "");
  EXPECT_EQ(Beside(file, kManifestSuffix), folder.path() + "/m.manifest.json");
  EXPECT_EQ(Beside(file, kSourceSuffix), "");
  host.files[file] = {};
  EXPECT_EQ(Beside(file, kManifestSuffix), "");
}

TEST_F(HostedTest, KeepsWhatItWouldWrite) {
  const TempFolder folder;
  const std::string other = (std::filesystem::path(folder.path()) / "file").string();
  host.results["<new>"];
  EXPECT_EQ(StoreFile("<new>", std::string_view("content")), ExitCode::kSafe);
  EXPECT_EQ(StoreFile(other, std::string_view("else")), ExitCode::kSafe);
  EXPECT_EQ(host.results["<new>"], "content");
  EXPECT_EQ(ReadText(other), "else");
  WriteOutput("out");
  Complain("wrong");
  EXPECT_EQ(host.output, "out");
  EXPECT_EQ(host.complaints, "pteproof: wrong\n");
}

TEST_F(HostedTest, GivesBothFormsOfAReportIfJsonIsAskedFor) {
  const auto json = [] { return "{}\n"; };
  const auto text = [] { return "text\n"; };
  WriteReport(true, json, text);
  EXPECT_EQ(host.output, "{}\n");
  EXPECT_EQ(host.text, "text\n");
  WriteReport(false, json, text);
  EXPECT_EQ(host.output, "{}\ntext\n");
  EXPECT_EQ(host.text, "text\n");
}

TEST_F(HostedTest, KnowsNoTerminal) {
  setenv("FORCE_COLOR", "1", 1);
  setenv("COLUMNS", "50", 1);
  EXPECT_FALSE(PaintForStandardOutput().enabled);
  EXPECT_EQ(TerminalColumns(), kPlainColumns);
  unsetenv("FORCE_COLOR");
  unsetenv("COLUMNS");
}

TEST_F(HostedTest, ChecksAProgramInMemory) {
  const std::string program = ReadText(kSmall);
  host.files["<program>"] = std::as_bytes(std::span(program));
  CommandLine command_line("check");
  EXPECT_EQ(command_line.Run({"check", "--json", "<program>"}), ExitCode::kSafe);
  EXPECT_THAT(host.output, StartsWith(R"({"file":"<program>","verdict":"safe")"));
  EXPECT_THAT(host.text, StartsWith("<program>: safe\n"));
}

TEST_F(HostedTest, TellsThatAManifestIsWrong) {
  const std::string wrong = R"({"pteproof": 1, "polizy": "private"})";
  host.files["<manifest>"] = std::as_bytes(std::span(wrong));
  CommandLine command_line("check");
  EXPECT_EQ(command_line.Run({"check", kSmall, "--manifest", "<manifest>"}), ExitCode::kUsage);
  EXPECT_TRUE(host.wrong_manifest);
  EXPECT_THAT(host.output, HasSubstr("/polizy"));
}

TEST_F(HostedTest, OneVerbAloneTakesTheSameWords) {
  CommandLine alone("inspect");
  CommandLine all;
  EXPECT_EQ(alone.app().get_subcommands({}).size(), 1U);
  EXPECT_EQ(alone.Run({"inspect", kSmall}), ExitCode::kSafe);
  const std::string output = std::exchange(host.output, "");
  EXPECT_EQ(all.Run({"inspect", kSmall}), ExitCode::kSafe);
  EXPECT_EQ(output, host.output);
  EXPECT_GT(CommandLine("nonsense").app().get_subcommands({}).size(), 10U);
}

}  // namespace
}  // namespace pteproof
