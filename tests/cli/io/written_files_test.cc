// No file that a call writes replaces another one, or one that the call reads.
#include "cli/io/written_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kModel = PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte";

TEST(AreOneFile, SeesThroughLinksAndDots) {
  const TempFolder folder;
  const std::string there = folder.Write("there", "");
  const std::string link = folder.path() + "/link";
  fs::create_symlink(there, link);
  EXPECT_TRUE(AreOneFile(there, link));
  EXPECT_TRUE(AreOneFile(folder.path() + "/new", folder.path() + "/./sub/../new"));
  EXPECT_FALSE(AreOneFile(there, folder.path() + "/new"));
  EXPECT_FALSE(AreOneFile("", ""));
  EXPECT_TRUE(AreOneFile("-", "-"));
  EXPECT_FALSE(AreOneFile("-", "./-"));
}

// Files m.pte and m.manifest.json, and what a call with these words, in that folder, does.
class WrittenFiles : public testing::Test {
 protected:
  WrittenFiles() {
    folder_.Copy(kModel, "m.pte");
    folder_.Copy(fs::path(kModel).replace_extension(".manifest.json"), "m.manifest.json");
    folder_.Write("old.json", "old");
  }

  std::string At(const std::string& name) const { return folder_.path() + "/" + name; }

  CommandResult Run(std::vector<std::string> words) const {
    for (std::string& word : words) {
      if (word.find('.') != std::string::npos && word[0] != '-') word = At(word);
    }
    return RunCommand(words);
  }

  // Refused, and nothing was written.
  void ExpectRefused(const std::vector<std::string>& words, const std::string& why) const {
    const auto names = FilesBelow(folder_.path());
    const auto model = ReadText(At("m.pte"));
    const auto manifest = ReadText(At("m.manifest.json"));
    const CommandResult result = Run(words);
    EXPECT_EQ(result.exit_code, 64) << result.out;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_EQ(FilesBelow(folder_.path()), names);
    EXPECT_EQ(ReadText(At("m.pte")), model);
    EXPECT_EQ(ReadText(At("m.manifest.json")), manifest);
    EXPECT_EQ(ReadText(At("old.json")), "old");
  }

  TempFolder folder_;
};

TEST_F(WrittenFiles, OfAReplanAreApart) {
  const auto refused = [&](std::vector<std::string> words, const std::string& why) {
    words.insert(words.begin(), {"replan", "m.pte"});
    ExpectRefused(words, why);
  };
  refused({"-o", "c.pte", "--certificate", "c.pte"}, "-o and --certificate are one file");
  refused({"-o", "c.pte", "--html", "c.pte"}, "-o and --html are one file");
  refused({"-o", "c.pte", "--certificate", "c.manifest.json"}, "the manifest of -o and");
  refused({"-o", "c.pte", "--certificate", "m.pte"}, "--certificate would replace");
  refused({"-o", "m.pte", "--html", "m.manifest.json"}, "are one file");
  refused({"-o", "c.pte", "--html", "m.manifest.json"}, "--html would replace");
  refused({"-o", "m.manifest.json"}, "would replace");
  refused({"-o", "-", "--certificate", "-"}, "standard output");
  refused({"-o", "c.pteasm"}, "inspect --format pteasm");
  refused({"-o", ""}, "a file without a name");
  refused({"-o", "c.pte", "--bank-size", "1=30", "--bank-size", "1=60"},
          "bank 1 has 30 bytes or 60");
}

TEST_F(WrittenFiles, OfAReplanMayReplaceTheProgram) {
  const CommandResult result = Run({"replan", "m.pte", "-o", "m.pte", "--runs", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(Run({"check", "-q", "m.pte"}).exit_code, 64);
}

TEST_F(WrittenFiles, OfAReplanLeaveNoManifestOfAnotherProgram) {
  fs::remove(At("m.manifest.json"));
  folder_.Copy(fs::path(kModel).replace_extension(".manifest.json"), "c.manifest.json");
  const CommandResult first = Run({"replan", "m.pte", "-o", "d.pte", "--runs", "1"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  std::string other = ReadText(At("c.manifest.json"));
  const size_t brace = other.find('{');
  other.insert(brace + 1, "\"program_sha256\": \"" + std::string(64, '0') + "\", ");
  if (ReadText(At("c.manifest.json")).find("program_sha256") == std::string::npos) {
    folder_.Write("c.manifest.json", other);
  }
  const CommandResult second = Run({"replan", "m.pte", "-o", "c.pte", "--runs", "1"});
  EXPECT_EQ(second.exit_code, 64) << second.out;
  EXPECT_THAT(second.err, HasSubstr("is the manifest of another program"));
  EXPECT_FALSE(fs::exists(At("c.pte")));
}

TEST_F(WrittenFiles, OfAReplanReplaceNothingWhereOneCannotBeWritten) {
  const std::string model = ReadText(At("m.pte"));
  for (const std::string flag : {"--certificate", "--html"}) {
    const auto result = RunCommand(
        {"replan", At("m.pte"), "-o", At("m.pte"), "--runs", "1", flag, At("nowhere/x")});
    EXPECT_EQ(result.exit_code, 66) << flag;
    EXPECT_EQ(ReadText(At("m.pte")), model) << flag;
  }
}

TEST_F(WrittenFiles, OfOtherVerbsReplaceNoProgram) {
  ExpectRefused({"check", "--certificate", "m.pte", "m.pte"}, "--certificate would replace");
  ExpectRefused({"map", "m.pte", "-o", "m.pte"}, "-o would replace");
  ExpectRefused({"map", "m.pte", "-o", "m.svg", "--html", "m.svg"}, "are one file");
  ExpectRefused({"map", "m.pte", "-o", "-", "--html", "-"}, "standard output");
  ExpectRefused({"link", "m.pte", "-o", "l.pte", "--certificate", "m.pte"},
                "--certificate would replace");
}

}  // namespace
}  // namespace pteproof
