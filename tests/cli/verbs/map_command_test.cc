// The verb `map`, and `check --html`, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/map/well_formed.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kDrawnPutGet = PTEPROOF_CORPUS_DIR "/real/models/put_get/put_get.pte";
const std::string kCondSiblings = PTEPROOF_CORPUS_DIR "/real/bugs/cond-siblings/cond-siblings.pte";
const std::string kOutOfTable =
    PTEPROOF_CORPUS_DIR "/real/bugs/initial-out-of-table/initial-out-of-table.pte";

TEST(MapCommand, WritesSvgToStandardOutput) {
  const CommandResult result = RunCommand({"map", kDrawnPutGet});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("<?xml"));
  EXPECT_EQ(XmlProblem(result.out), "");
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(MapCommand, WritesTheSameToAFile) {
  const TempFolder folder;
  const std::string file = folder.path() + "/map.svg";
  const CommandResult result = RunCommand({"map", kDrawnPutGet, "-o", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(ReadText(file), RunCommand({"map", kDrawnPutGet}).out);
}

TEST(MapCommand, DrawsAnUnsafePlanTooAndExitsWithZero) {
  const CommandResult result = RunCommand({"map", kCondSiblings});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("region-escape"));
}

TEST(MapCommand, ExplainsAMalformedFileAsInspectDoes) {
  const CommandResult result = RunCommand({"map", kOutOfTable});
  const CommandResult inspected = RunCommand({"inspect", kOutOfTable});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.exit_code, inspected.exit_code);
  EXPECT_EQ(result.out, inspected.out);
}

TEST(MapCommand, DoesNotTouchTheOutputOfAMalformedFile) {
  const TempFolder folder;
  const std::string file = folder.path() + "/map.svg";
  EXPECT_EQ(RunCommand({"map", kOutOfTable, "-o", file}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(MapCommand, CannotReadAFileThatIsMissing) {
  EXPECT_EQ(RunCommand({"map", "/nowhere.pte"}).exit_code, 66);
}

TEST(MapCommand, CannotWriteToAFolderThatIsMissing) {
  const CommandResult result = RunCommand({"map", kDrawnPutGet, "-o", "/nowhere/map.svg"});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.err, HasSubstr("/nowhere/map.svg: the file cannot be written"));
  EXPECT_THAT(result.err, HasSubstr("No such file or directory"));
}

TEST(MapCommand, KnowsTheMethodsOfTheFile) {
  const CommandResult result = RunCommand({"map", kDrawnPutGet, "--method", "take"});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("there is no method 'take'; the file has forward get put"));
  const CommandResult only = RunCommand({"map", kDrawnPutGet, "--method", "get", "--text"});
  EXPECT_EQ(only.exit_code, 0);
  EXPECT_THAT(only.out, HasSubstr("  get: 32 bytes"));
  EXPECT_THAT(only.out, Not(HasSubstr("forward:")));
}

TEST(MapCommand, DrawsBanksAsThePolicyShares) {
  const auto drawn = [](const std::string& policy) {
    return RunCommand({"map", kDrawnPutGet, "--policy", policy, "--text"}).out;
  };
  EXPECT_THAT(drawn("share-all"), HasSubstr("bank 2, one for all methods under share-all"));
  EXPECT_THAT(drawn("private"), HasSubstr("bank 2, one each under private"));
  EXPECT_THAT(drawn("private"), HasSubstr("error state-split"));
  EXPECT_THAT(drawn("share-all"), Not(HasSubstr("state-split")));
  EXPECT_EQ(RunCommand({"map", kDrawnPutGet, "--policy", "none"}).exit_code, 64);
}

TEST(MapCommand, PrintsTextWithoutColoursWhereNobodyWatches) {
  EXPECT_THAT(RunCommand({"map", kCondSiblings, "--text"}).out, Not(HasSubstr("\x1b")));
}

TEST(CheckCommand, WritesAPageBesideWhatItPrints) {
  const TempFolder folder;
  const std::string page = folder.path() + "/page.html";
  const std::vector<std::string> files = {kDrawnPutGet, kCondSiblings, kOutOfTable};
  const CommandResult result = RunCommand({"check", files[0], files[1], files[2], "--html", page});
  const CommandResult plain = RunCommand({"check", files[0], files[1], files[2]});
  EXPECT_EQ(result.exit_code, plain.exit_code);
  EXPECT_EQ(result.out, plain.out);
  const std::string text = ReadText(page);
  EXPECT_EQ(PageProblem(text), "");
  for (const std::string& file : files) EXPECT_THAT(text, HasSubstr(file));
  EXPECT_THAT(text, HasSubstr("file-mutable-data"));
}

TEST(CheckCommand, SaysWhenThePageCannotBeWritten) {
  const CommandResult result = RunCommand({"check", kDrawnPutGet, "--html", "/nowhere/page.html"});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.err, HasSubstr("/nowhere/page.html: the file cannot be written"));
}

// Pictures in the documents are what the commands beside them draw.
TEST(MapCommand, DrewThePicturesOfTheDocuments) {
  std::filesystem::current_path(PTEPROOF_SOURCE_DIR);
  const TempFolder folder;
  std::istringstream lines(ReadText("docs/reference/map.md"));
  size_t pictures = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("pteproof map ")) continue;
    std::istringstream words(line.substr(line.find(' ') + 1));
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    const std::string picture = arguments.back();
    if (!picture.starts_with("docs/pictures/")) continue;
    arguments.back() = folder.path() + "/drawn.svg";
    EXPECT_EQ(RunCommand(arguments).exit_code, 0) << line;
    EXPECT_EQ(ReadText(picture), ReadText(arguments.back())) << "run again: " << line;
    EXPECT_LT(std::filesystem::file_size(picture), 100'000U);
    ++pictures;
  }
  EXPECT_GE(pictures, 4U);
}

TEST(MapCommand, WritesAPageInsteadOfSvgOrBesideIt) {
  const CommandResult page = RunCommand({"map", kDrawnPutGet, "--html", "-"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, StartsWith("<!DOCTYPE html"));
  EXPECT_EQ(PageProblem(page.out), "");
  EXPECT_THAT(page.out, Not(HasSubstr("<svg")));
  const TempFolder folder;
  const std::string svg = folder.path() + "/map.svg";
  const CommandResult both = RunCommand({"map", kDrawnPutGet, "--html", "-", "-o", svg});
  EXPECT_EQ(both.out, page.out);
  EXPECT_THAT(ReadText(svg), StartsWith("<?xml"));
  const CommandResult get =
      RunCommand({"map", kDrawnPutGet, "--html", "-", "--method", "get", "--bank", "1"});
  EXPECT_THAT(get.out, HasSubstr("\"methods\":[{\"name\":\"get\""));
  EXPECT_THAT(get.out, Not(HasSubstr("\"name\":\"forward\"")));
}

TEST(MapCommand, TakesOneForm) {
  EXPECT_EQ(RunCommand({"map", kDrawnPutGet, "--html", "-", "--text"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"map", kDrawnPutGet, "--html", "-", "-o", "-"}).exit_code, 64);
  const CommandResult nowhere = RunCommand({"map", kDrawnPutGet, "--html", "/nowhere/page.html"});
  EXPECT_EQ(nowhere.exit_code, 66);
}

TEST(CompareCommand, DrawsBothPlansOnAPage) {
  const TempFolder folder;
  const std::string file = folder.path() + "/page.html";
  const std::string sound = PTEPROOF_CORPUS_DIR "/real/bugs/cond-siblings-ok/cond-siblings-ok.pte";
  const CommandResult plain = RunCommand({"compare", kCondSiblings, sound});
  const CommandResult result = RunCommand({"compare", kCondSiblings, sound, "--html", file});
  EXPECT_EQ(result.exit_code, plain.exit_code);
  EXPECT_EQ(result.out, plain.out);
  const std::string page = ReadText(file);
  EXPECT_EQ(PageProblem(page), "");
  EXPECT_THAT(page, HasSubstr("gone: error region-escape"));
  EXPECT_THAT(page, HasSubstr("<h2>Before: " + kCondSiblings));
  EXPECT_THAT(page, HasSubstr("<h2>After: " + sound));
  EXPECT_THAT(RunCommand({"compare", kCondSiblings, sound, "--html", "-"}).out,
              StartsWith("<!DOCTYPE html"));
}

TEST(CompareCommand, DrawsNoModuleAndTakesOneForm) {
  const std::string module = PTEPROOF_CORPUS_DIR "/modules/counter.module";
  const CommandResult drawn = RunCommand({"compare", module, kDrawnPutGet, "--html", "p.html"});
  EXPECT_EQ(drawn.exit_code, 64);
  EXPECT_THAT(drawn.err, HasSubstr("a Module has none: leave --html out"));
  const CommandResult json =
      RunCommand({"compare", kDrawnPutGet, kDrawnPutGet, "--html", "-", "--json"});
  EXPECT_EQ(json.exit_code, 64);
}

TEST(ReplanCommand, DrawsThePlansBeforeAndAfter) {
  const TempFolder folder;
  const std::string file = folder.path() + "/page.html";
  const std::string output = folder.path() + "/new.pte";
  const CommandResult result = RunCommand(
      {"replan", "--repair", kCondSiblings, "-o", output, "--html", file, "--runs", "2"});
  EXPECT_EQ(result.exit_code, 0);
  const std::string page = ReadText(file);
  EXPECT_EQ(PageProblem(page), "");
  EXPECT_THAT(page, HasSubstr("errors fixed: 1 of region-escape"));
  EXPECT_THAT(page, HasSubstr("<h2>After: " + output));
  EXPECT_THAT(page, HasSubstr("v-safe\">safe</span>"));
  EXPECT_EQ(RunCommand({"replan", kDrawnPutGet, "-o", output, "--html", "-"}).exit_code, 64);
}

TEST(MapCommand, DrawsOneBank) {
  const CommandResult result = RunCommand({"map", "--bank", "2", "--text", kDrawnPutGet});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("\nbank 2"));
  EXPECT_THAT(result.out, Not(HasSubstr("\nbank 1")));
  const CommandResult wrong = RunCommand({"map", "--bank", "7", kDrawnPutGet});
  EXPECT_EQ(wrong.exit_code, 64);
  EXPECT_THAT(wrong.err, HasSubstr("there is no bank 7; the methods drawn have 1, 2"));
}

TEST(MapCommand, DrawsTheTimeAroundAnInstruction) {
  const CommandResult result =
      RunCommand({"map", "--method", "forward", "--around", "1", kDrawnPutGet});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(XmlProblem(result.out), "");
  const CommandResult all = RunCommand({"map", "--around", "1", kDrawnPutGet});
  EXPECT_EQ(all.exit_code, 64);
  EXPECT_THAT(all.err, HasSubstr("name it with --method"));
  const CommandResult beyond =
      RunCommand({"map", "--method", "get", "--around", "99", kDrawnPutGet});
  EXPECT_EQ(beyond.exit_code, 64);
  EXPECT_THAT(beyond.err, HasSubstr("there is no instruction 99; 'get' has 2"));
}

}  // namespace
}  // namespace pteproof
