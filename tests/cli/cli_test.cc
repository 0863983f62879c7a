// The command from outside: arguments in, exit code and output out. The verdicts are those of the
// corpus (corpus/real/EXPECTED.json).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "pteproof/version.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Json = nlohmann::json;

std::string Real(const std::string& path) {
  return std::string(PTEPROOF_CORPUS_DIR "/real/") + path;
}

const std::string kSafeFile = Real("models/counter/counter.pte");
const std::string kUnsafeFile = Real("models/cond_pair/cond_pair.pte");  // under every policy
const std::string kDepends =
    Real("bugs/private-state/private-state.pte");  // safe under private only
const std::string kMalformed = Real("bugs/initial-out-of-table/initial-out-of-table.pte");

std::vector<Json> ParseLines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

int ExitOf(const std::vector<std::string>& arguments) {
  return RunCommand(arguments).exit_code;
}

TEST(CheckCommand, ExitsWithTheVerdict) {
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kSafeFile}), 0);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kUnsafeFile}), 1);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kMalformed}), 2);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kDepends}), 3);
}

TEST(CheckCommand, JudgesUnderTheChosenPolicy) {
  EXPECT_EQ(ExitOf({"check", "--no-manifest", "--policy", "private", kDepends}), 0);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", "--policy", "share-all", kDepends}), 1);
}

TEST(CheckCommand, TakesThePolicyOfTheManifestUnlessOneIsGiven) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1, "policy": "share-all"})");
  EXPECT_EQ(ExitOf({"check", "--manifest", manifest, kDepends}), 1);
  EXPECT_EQ(ExitOf({"check", "--manifest", manifest, "--policy", "private", kDepends}), 0);
}

TEST(CheckCommand, UsesTheManifestBesideTheFile) {
  const TempFolder folder;
  const std::string file = folder.Copy(kDepends, "model.pte");
  (void)folder.Write("model.manifest.json", R"({"pteproof": 1, "policy": "share-all"})");
  EXPECT_EQ(ExitOf({"check", file}), 1);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", file}), 3);
}

TEST(CheckCommand, ShowsAcceptedFindingsAndFailsNothingForThem) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1, "suppress": [
      {"rule": "state-clobbered", "reason": "one method only is used"}]})");
  const CommandResult result = RunCommand({"check", "--json", "--manifest", manifest, kDepends});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr(R"("suppressed":"one method only is used")"));
  EXPECT_THAT(result.out, HasSubstr(R"("verdict":"depends","accepted":1)"));
}

TEST(CheckCommand, RefusesAWrongManifestAndSaysWhere) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1, "polizy": "private"})");
  const CommandResult result = RunCommand({"check", "--manifest", manifest, kSafeFile});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.out, AllOf(HasSubstr("wrong-manifest"), HasSubstr("/polizy")));
}

TEST(CheckCommand, CannotReadAManifestThatIsMissing) {
  EXPECT_EQ(ExitOf({"check", "--manifest", "/nowhere.json", kSafeFile}), 66);
}

TEST(CheckCommand, TakesOneManifestForOneFileOnly) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1})");
  const CommandResult result =
      RunCommand({"check", "--manifest", manifest, kSafeFile, kUnsafeFile});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("--manifest"));
}

TEST(CheckCommand, PrintsOneJsonObjectALineAndFile) {
  const auto lines = ParseLines(
      RunCommand({"check", "--json", "--no-manifest", kSafeFile, "/nowhere.pte", kMalformed}).out);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[0]["file"], kSafeFile);
  EXPECT_EQ(lines[0]["verdict"], "safe");
  EXPECT_EQ(lines[1]["verdict"], "unreadable");
  EXPECT_FALSE(lines[1]["error"].get<std::string>().empty());
  EXPECT_EQ(lines[2]["verdict"], "malformed");
  EXPECT_EQ(lines[2]["findings"][0]["rule"], "file-mutable-data");
  const std::string explanation = lines[2]["findings"][0]["explanation"].get<std::string>();
  EXPECT_EQ(std::ranges::count(explanation, '\n'), 1) << explanation;
}

TEST(CheckCommand, HasAllFieldsInEachJsonObject) {
  const auto lines = ParseLines(RunCommand({"check", "--json", Real("models")}).out);
  ASSERT_GT(lines.size(), 30U);
  for (const Json& line : lines) {
    for (const char* key : {"file", "verdict", "policies", "findings", "banks", "assumptions"}) {
      EXPECT_TRUE(line.contains(key)) << key << " of " << line["file"];
    }
    for (const char* policy : {"private", "share-1-2", "share-all"}) {
      EXPECT_TRUE(line["policies"].contains(policy)) << policy << " of " << line["file"];
    }
    for (const Json& finding : line["findings"]) {
      for (const char* key : {"rule", "severity", "policy", "method", "instruction", "values",
                              "bank", "bytes", "explanation"}) {
        EXPECT_TRUE(finding.contains(key)) << key << " of " << line["file"];
      }
    }
  }
}

TEST(CheckCommand, PrintsOneSarifRunOverAllFiles) {
  const CommandResult result =
      RunCommand({"check", "--sarif", "--no-manifest", kSafeFile, kUnsafeFile, kMalformed});
  EXPECT_EQ(result.exit_code, 2);
  const Json log = Json::parse(result.out);
  EXPECT_EQ(log["version"], "2.1.0");
  ASSERT_THAT(log["runs"], SizeIs(1));
  EXPECT_THAT(log["runs"][0]["artifacts"], SizeIs(3));
  for (const Json& each : log["runs"][0]["results"]) {
    const auto index = each["ruleIndex"].get<size_t>();
    EXPECT_EQ(log["runs"][0]["tool"]["driver"]["rules"][index]["id"], each["ruleId"]);
  }
}

TEST(CheckCommand, CountsTheWorstOfManyFiles) {
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kSafeFile, kDepends}), 3);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kDepends, kUnsafeFile, kSafeFile}), 1);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kUnsafeFile, kMalformed, kDepends}), 2);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", kMalformed, "/nowhere.pte", kUnsafeFile}), 66);
}

TEST(CheckCommand, PrintsTheSameWithAnyNumberOfThreads) {
  RecordProperty("slow", "reads every program of the corpus");
  for (const char* form : {"--all", "--json", "--sarif"}) {
    SCOPED_TRACE(form);
    const auto one = RunCommand({"check", "-j", "1", form, PTEPROOF_CORPUS_DIR "/real"});
    const auto many = RunCommand({"check", "-j", "8", form, PTEPROOF_CORPUS_DIR "/real"});
    EXPECT_EQ(one.out, many.out);
    EXPECT_EQ(one.exit_code, many.exit_code);
    EXPECT_THAT(one.err, IsEmpty());  // no progress line where there is no terminal
    EXPECT_GT(one.out.size(), 10'000U);
  }
}

TEST(CheckCommand, ReadsStandardInput) {
  const CommandResult result = RunCommand({"check", "-"}, kUnsafeFile);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("-: unsafe"));
  EXPECT_EQ(ExitOf({"check", "-", "-"}), 64);
}

TEST(CheckCommand, ChecksTheProgramInABundle) {
  EXPECT_EQ(ExitOf({"check", Real("models/bundled/bundled.bpte")}), 0);
}

TEST(CheckCommand, ComparesProgramsWithTheirData) {
  const std::string program = Real("models/external_some/external_some.pte");
  const std::string right = Real("models/external_some/external_some.ptd");
  const std::string wrong = Real("models/external_weights/external_weights.ptd");
  EXPECT_EQ(ExitOf({"check", program, "--data", right}), 0);
  const CommandResult missing = RunCommand({"check", program, "--data", wrong});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.out, HasSubstr("file-data-missing"));
  EXPECT_EQ(ExitOf({"check", program, "--data", wrong, "--data", right}), 0);
}

TEST(CheckCommand, JudgesNothingWithDataThatCannotBeUsed) {
  const TempFolder folder;
  const std::string empty = folder.Write("empty.ptd", "");
  EXPECT_EQ(ExitOf({"check", kSafeFile, "--data", empty}), 2);
  EXPECT_EQ(ExitOf({"check", kSafeFile, "--data", "/nowhere.ptd"}), 66);
}

TEST(CheckCommand, HasALineForEachFileAlsoWhereDataCannotBeUsed) {
  const TempFolder folder;
  (void)folder.Write("a.pte", "");
  const CommandResult result = RunCommand({"check", "--json", "--data", "/nowhere.ptd", kUnsafeFile,
                                           folder.path(), "/empty-folder.pte"});
  EXPECT_EQ(result.exit_code, 66);
  const auto lines = ParseLines(result.out);
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0]["file"], "/nowhere.ptd");
  EXPECT_EQ(lines[0]["verdict"], "unreadable");
  EXPECT_EQ(lines[1]["file"], kUnsafeFile);
  EXPECT_EQ(lines[1]["verdict"], "not-judged");
  EXPECT_EQ(lines[1]["policies"]["private"], "not-judged");
  EXPECT_EQ(lines[1]["error"], "its data cannot be used: /nowhere.ptd");
  EXPECT_EQ(lines[2]["file"], folder.path() + "/a.pte");
  EXPECT_EQ(lines[3]["verdict"], "not-judged");
}

// The program lies in a bundle from byte 64 on; its identifier is in its bytes 4 to 8.
TEST(CheckCommand, PlacesWhatIsWrongInABundleInTheFile) {
  const TempFolder folder;
  std::string bytes = ReadText(PTEPROOF_CORPUS_DIR "/crafted/base.bpte");
  const size_t identifier = bytes.find("ET12");
  ASSERT_NE(identifier, std::string::npos);
  bytes.replace(identifier, 4, "ET99");
  const std::string file = folder.Write("bad.bpte", bytes);
  const auto lines = ParseLines(RunCommand({"check", "--json", file}).out);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0]["verdict"], "malformed");
  EXPECT_EQ(lines[0]["findings"][0]["rule"], "file-identifier");
  EXPECT_EQ(lines[0]["findings"][0]["bytes"], Json({identifier, identifier + 4}));
  EXPECT_THAT(lines[0]["findings"][0]["explanation"].get<std::string>(),
              HasSubstr("the program inside, from byte " + std::to_string(identifier - 4) + " of"));
  const std::string place = "file bytes [" + std::to_string(identifier) + ",";
  EXPECT_THAT(RunCommand({"check", file}).out, HasSubstr(place));
  const Json log = Json::parse(RunCommand({"check", "--sarif", file}).out);
  const Json& location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(location["region"]["byteOffset"], identifier);
}

TEST(CheckCommand, ChecksAFileThatIsNamedTwiceOnce) {
  const CommandResult result =
      RunCommand({"check", "--sarif", "--no-manifest", kSafeFile, kSafeFile});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(Json::parse(result.out)["runs"][0]["artifacts"], SizeIs(1));
}

TEST(CheckCommand, NamesALinkInAFolderThatLeadsNowhereAndChecksTheRest) {
  const TempFolder folder;
  const std::string good = folder.Copy(kSafeFile, "a.pte");
  const std::string link = folder.path() + "/b.pte";
  std::filesystem::create_symlink("nowhere.pte", link);
  const CommandResult result = RunCommand({"check", "-q", folder.path()});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.out, AllOf(HasSubstr(good + ": safe\n"), HasSubstr(link + ": unreadable\n")));
}

TEST(CheckCommand, SaysWhatADataFileIsFor) {
  const CommandResult result =
      RunCommand({"check", Real("models/external_some/external_some.ptd")});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.out, HasSubstr("--data"));
}

TEST(CheckCommand, RefusesEmptyAndShortFiles) {
  const TempFolder folder;
  EXPECT_EQ(ExitOf({"check", folder.Write("empty.pte", "")}), 2);
  EXPECT_EQ(ExitOf({"check", folder.Write("short.pte", "ET12")}), 2);
}

TEST(CheckCommand, CannotReadAFolderWithoutPrograms) {
  const TempFolder folder;
  EXPECT_EQ(ExitOf({"check", folder.path()}), 66);
}

TEST(CheckCommand, IsOneLineAFileWhenQuiet) {
  EXPECT_EQ(RunCommand({"check", "-q", "--no-manifest", kSafeFile}).out, kSafeFile + ": safe\n");
}

TEST(Command, TakesWrongOptionsAsUsageErrors) {
  EXPECT_EQ(ExitOf({}), 64);
  EXPECT_EQ(ExitOf({"chekc", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check"}), 64);
  EXPECT_EQ(ExitOf({"check", "--policy", "public", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check", "--load", "eager", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check", "--jobs", "0", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check", "--json", "--sarif", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check", "--no-manifest", "--manifest", "m.json", kSafeFile}), 64);
  EXPECT_EQ(ExitOf({"check", "--frobnicate", kSafeFile}), 64);
}

TEST(Command, HelpsWithAnExampleForEachVerb) {
  const CommandResult all = RunCommand({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const std::string verb : {"check", "inspect", "rules", "eval", "dev"}) {
    const CommandResult result = RunCommand({verb, "--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("Example: pteproof " + verb));
    EXPECT_THAT(all.out, HasSubstr("\n  pteproof " + verb + " "));
  }
}

TEST(Command, TellsItsVersion) {
  const CommandResult result = RunCommand({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "pteproof " + std::string(Version()) + "\n");
}

TEST(RulesCommand, ListsAllRules) {
  const CommandResult result = RunCommand({"rules"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("state-split "), HasSubstr("file-header ")));
}

TEST(RulesCommand, ExplainsOneRule) {
  const CommandResult result = RunCommand({"rules", "state-split"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(StartsWith("state-split (error): "), HasSubstr("\nExample\n"),
                                HasSubstr("\nFix\n")));
}

TEST(RulesCommand, SuggestsTheNearestRule) {
  const CommandResult result = RunCommand({"rules", "state-splot"});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'state-split'"));
  EXPECT_THAT(RunCommand({"rules", "nonsense"}).err,
              HasSubstr("there is no rule 'nonsense'; 'pteproof rules' lists them"));
}

TEST(InspectCommand, PrintsMethodsValuesAndInstructions) {
  const CommandResult result = RunCommand({"inspect", Real("models/put_get/put_get.pte")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("method forward\n"), HasSubstr("  bank 2: 16 bytes\n"),
                    HasSubstr("aten::add.out(self=v0, other=v2, alpha=v4, out=v3) -> v3"),
                    HasSubstr("'memory'")));
}

TEST(InspectCommand, PrintsHowLongEachValueLives) {
  const CommandResult result =
      RunCommand({"inspect", Real("bugs/cond-siblings/cond-siblings.pte")});
  EXPECT_THAT(result.out, AllOf(HasSubstr("  bank 1 [128,129)  entry..6   input 0\n"),
                                HasSubstr("  bank 1 [0,32)     1..12\n"),
                                HasSubstr("  bank 1 [32,64)    12..end    output 0\n")));
  EXPECT_THAT(RunCommand({"inspect", Real("models/counter/counter.pte")}).out,
              HasSubstr("  bank 1 [48,52)  always\n"));
}

TEST(InspectCommand, PrintsOneMethodOnly) {
  const std::string file = Real("models/put_get/put_get.pte");
  const CommandResult one = RunCommand({"inspect", file, "--method", "get"});
  EXPECT_THAT(one.out, StartsWith("\nmethod get\n"));
  const CommandResult none = RunCommand({"inspect", file, "--method", "got"});
  EXPECT_EQ(none.exit_code, 64);
  EXPECT_THAT(none.err, HasSubstr("forward get put"));
}

TEST(InspectCommand, ReadsEveryProgramOfTheCorpus) {
  RecordProperty("slow", "reads every program of the corpus");
  for (const auto& file : FilesBelow(PTEPROOF_CORPUS_DIR "/real")) {
    if (file.extension() != ".pte" || file == kMalformed) continue;
    EXPECT_EQ(ExitOf({"inspect", file.string()}), 0) << file;
  }
}

TEST(InspectCommand, SaysWhyThereIsNoProgram) {
  EXPECT_EQ(ExitOf({"inspect", kMalformed}), 2);
  EXPECT_EQ(ExitOf({"inspect", "/nowhere.pte"}), 66);
}

}  // namespace
}  // namespace pteproof
