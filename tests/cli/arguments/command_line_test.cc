// Words of a command line: which are taken, and what is said of those that are not.
#include "cli/arguments/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kCounterPte = PTEPROOF_CORPUS_DIR "/real/models/counter/counter.pte";
const std::string kExternalPte = PTEPROOF_CORPUS_DIR "/real/models/external_some/external_some.pte";
const std::string kExternalPtd = PTEPROOF_CORPUS_DIR "/real/models/external_some/external_some.ptd";
const std::string kOtherPtd =
    PTEPROOF_CORPUS_DIR "/real/models/external_weights/external_weights.ptd";
const std::string kCounterModule = PTEPROOF_CORPUS_DIR "/modules/counter.module";

std::string ErrorOf(const std::vector<std::string>& words) {
  const CommandResult result = RunCommand(words);
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.out, IsEmpty());
  return result.err;
}

struct Misspelt {
  std::vector<std::string> words;
  std::string verb;
  std::string meant;
};

TEST(MisspeltWord, IsExplainedWithTheNearest) {
  for (const Misspelt& each : std::vector<Misspelt>{
           {{"chekc", kCounterPte}, "", "check"},
           {{"inspec", kCounterPte}, "", "inspect"},
           {{"rulse"}, "", "rules"},
           {{"check", "--polcy", "private", kCounterPte}, "check: ", "--policy"},
           {{"prove", "--ordre", "any", kCounterPte}, "prove: ", "--order"},
           {{"place", "--algoritm=best", "x.csv"}, "place: ", "--algorithm"},
           {{"check", "--policy", "share12", kCounterPte}, "check: ", "share-1-2"},
           {{"check", "--loader", "executorch.runtme@1.4", kCounterPte},
            "check: ",
            "executorch.runtime"},
           {{"plan", "--algorithm", "gredy", "-o", "-", kCounterModule}, "plan: ", "greedy"},
           {{"run", "--mode", "taged", kCounterPte}, "run: ", "tagged"},
           {{"check", "--color", "alway", kCounterPte}, "check: ", "always"},
           {{"rules", "state-splot"}, "rules: ", "state-split"},
           {{"help", "chek"}, "help: ", "check"},
           {{"mutants", "--onyl", "x"}, "mutants: ", "--only"},
       }) {
    const std::string error = ErrorOf(each.words);
    EXPECT_THAT(error, StartsWith("pteproof: " + each.verb));
    EXPECT_THAT(error, HasSubstr("did you mean '" + each.meant + "'?"));
  }
}

// Verbs of developers are found behind `dev`, and by their old names.
TEST(DevVerbs, HaveTheirOldNamesToo) {
  const CommandResult now = RunCommand({"dev", "random", "--seed", "7"});
  EXPECT_EQ(now.exit_code, 0);
  EXPECT_THAT(now.err, IsEmpty());
  const CommandResult before = RunCommand({"random", "--seed", "7"});
  EXPECT_EQ(before.out, now.out);
  EXPECT_EQ(before.err,
            "pteproof: 'pteproof random' is now 'pteproof dev random'; the old name still works\n");
}

TEST(DevVerbs, AreLeftOutOfTheHelpTextAndListedByDev) {
  const std::string help = RunCommand({"--help"}).out;
  const std::string listed = RunCommand({"dev"}).out;
  for (const char* verb : {"random", "test", "fmt", "mutants"}) {
    EXPECT_THAT(help, Not(HasSubstr(std::string("\n  ") + verb + " "))) << verb;
    EXPECT_THAT("\n" + listed, HasSubstr(std::string("\n  ") + verb + " ")) << verb;
  }
  EXPECT_THAT(help, HasSubstr("\n  dev "));
}

TEST(DevVerbs, StandRightBehindDev) {
  EXPECT_THAT(ErrorOf({"dev", "--color=never", "random"}),
              HasSubstr("there are words between 'dev' and 'random'"));
}

TEST(DevVerbs, AreNoOtherVerbs) {
  EXPECT_THAT(ErrorOf({"dev", "check", kCounterPte}), HasSubstr("check"));
  EXPECT_THAT(ErrorOf({"dev", "randm"}), HasSubstr("did you mean 'random'?"));
}

// What a loader shares depends on its version.
TEST(LoaderArgument, ChoosesThePolicyOfItsVersion) {
  for (const auto& [loader, policy] : {std::pair("_load_for_executorch@0.7.0", "(share-all)"),
                                       std::pair("_load_for_executorch@1.0.1", "(private)"),
                                       std::pair("Module-shared-arenas", "(share-1-2)")}) {
    const CommandResult result = RunCommand({"check", "-q", "--loader", loader, kCounterPte});
    EXPECT_THAT(result.out, HasSubstr(policy)) << loader;
  }
  EXPECT_THAT(ErrorOf({"check", "--policy", "private", "--loader", "Module", kCounterPte}),
              HasSubstr("excludes"));
}

TEST(MisspeltWord, IsGivenNoMeaningWhereNoneIsNear) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"frobnicate"}, {"check", "--frobnicate", kCounterPte}}) {
    EXPECT_THAT(ErrorOf(words), AllOf(HasSubstr("frobnicate"), Not(HasSubstr("did you mean"))));
  }
}

TEST(UsageError, SaysWhereHuntIs) {
  EXPECT_THAT(ErrorOf({"hunt", "--cases", "3"}), HasSubstr("python -m pteproof hunt"));
}

TEST(UsageError, HasThePrefixAndNamesTheVerbAndItsHelp) {
  for (const char* verb :
       {"check", "inspect", "map", "place", "plan", "eval", "run", "diff", "fmt", "prove"}) {
    EXPECT_THAT(ErrorOf({verb}), AllOf(StartsWith("pteproof: " + std::string(verb) + ": "),
                                       HasSubstr("pteproof help " + std::string(verb))));
  }
  EXPECT_THAT(ErrorOf({}), StartsWith("pteproof: "));
  EXPECT_THAT(ErrorOf({"check", kCounterPte, "--html"}), StartsWith("pteproof: check: "));
  EXPECT_THAT(ErrorOf({"inspect", kCounterPte, "more"}),
              HasSubstr("inspect: 'more' is one argument too many"));
}

TEST(UsageError, SaysWhatIsMissing) {
  EXPECT_THAT(RunCommand({"split", "a.pte", "forward"}).err,
              HasSubstr("split: -o FILE is required: Write the new program (.pte) here"));
  EXPECT_THAT(RunCommand({"memory"}).err, HasSubstr("memory: FILE is required: "));
}

TEST(UsageError, NamesTheNumbersThatAFlagTakes) {
  const std::vector<std::vector<std::string>> flags = {
      {"mutants", "--clean"},
      {"mutants", "--agree"},
      {"mutants", "--cases"},
      {"test", "--cases"},
      {"test", "--seed"},
      {"random", "--cases"},
      {"map", "FILE", "--bank"},
      {"map", "FILE", "--around"},
      {"inspect", "FILE", "--lifetimes", "--memory-id"},
      {"place", "FILE", "--capacity"},
      {"place", "FILE", "--alignment"},
      {"plan", "FILE", "--alignment"},
      {"replan", "FILE", "--runs"},
      {"prove", "--planner", "--storages"},
  };
  for (const std::vector<std::string>& flag : flags) {
    for (const char* wrong : {"x", "-1"}) {
      std::vector<std::string> words = flag;
      words.emplace_back(wrong);
      EXPECT_THAT(ErrorOf(words),
                  AllOf(HasSubstr(flag.back()), HasSubstr(wrong),
                        AnyOf(HasSubstr("is not a whole number from"), HasSubstr("power of two"))));
    }
  }
}

TEST(UsageError, NamesTheSecondsThatAFlagTakes) {
  EXPECT_THAT(ErrorOf({"replan", "FILE", "--time", "x"}),
              HasSubstr("--time: 'x' is not a number from 0 to 2592000"));
  EXPECT_THAT(ErrorOf({"diff", "FILE", "--time", "0"}),
              HasSubstr("--time: '0' is not a number above 0"));
  EXPECT_THAT(ErrorOf({"run", "FILE", "--rtol", "-1"}),
              HasSubstr("--rtol: '-1' is not a number from 0 on"));
}

TEST(Help, IsPrintedOfTheCommandAndOfEachVerb) {
  const CommandLine command_line;
  EXPECT_EQ(RunCommand({"help"}).out, RunCommand({"--help"}).out);
  for (const CLI::App* verb : command_line.app().get_subcommands({})) {
    const std::string& name = verb->get_name();
    const CommandResult asked = RunCommand({"help", name});
    EXPECT_EQ(asked.exit_code, 0) << name;
    EXPECT_EQ(asked.out, RunCommand({name, "--help"}).out) << name;
    EXPECT_THAT(asked.out, AllOf(HasSubstr("Usage: pteproof " + name), HasSubstr("Example: ")));
  }
}

TEST(Help, OfMutantsSaysHowToGetThem) {
  EXPECT_THAT(RunCommand({"dev", "mutants", "--help"}).out,
              AllOf(HasSubstr("--only NAME"), HasSubstr("scripts/mutants")));
}

TEST(Mutants, ThatAreNotBuiltAreExplained) {
  const TempFolder folder;
  const std::string alone = folder.path() + "/pteproof";
  std::filesystem::copy_file(PTEPROOF_COMMAND, alone);
  const CommandResult result = RunCommand({"dev", "mutants"}, "/dev/null", alone);
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, AllOf(StartsWith("pteproof: mutants: "), HasSubstr("scripts/mutants")));
}

TEST(Version, IsPrinted) {
  EXPECT_THAT(RunCommand({"-V"}).out, testing::MatchesRegex("pteproof [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(RunCommand({"-V"}).out, RunCommand({"--version"}).out);
}

TEST(Colours, AreAlwaysOrNeverThereIfAskedFor) {
  EXPECT_THAT(RunCommand({"check", kCounterPte, "--color", "always"}).out, HasSubstr("\x1b[1;"));
  EXPECT_THAT(RunCommand({"--color", "always", "check", kCounterPte}).out, HasSubstr("\x1b[1;"));
  EXPECT_THAT(RunCommand({"check", kCounterPte}).out, Not(HasSubstr("\x1b")));
}

TEST(Colours, FollowTheEnvironment) {
  const auto with = [](const char* variable, const char* value,
                       const std::vector<std::string>& words) {
    setenv(variable, value, 1);
    const std::string out = RunCommand(words).out;
    unsetenv(variable);
    return out.find("\x1b[") != std::string::npos;
  };
  EXPECT_TRUE(with("FORCE_COLOR", "1", {"check", kCounterPte}));
  EXPECT_FALSE(with("FORCE_COLOR", "0", {"check", kCounterPte}));
  EXPECT_FALSE(with("FORCE_COLOR", "", {"check", kCounterPte}));
  EXPECT_FALSE(with("FORCE_COLOR", "1", {"check", kCounterPte, "--color", "never"}));
  EXPECT_TRUE(with("NO_COLOR", "1", {"check", kCounterPte, "--color", "always"}));
  setenv("FORCE_COLOR", "1", 1);
  EXPECT_FALSE(with("NO_COLOR", "1", {"check", kCounterPte}));
  unsetenv("FORCE_COLOR");
}

TEST(DataFlag, IsTakenByEachVerbThatReadsPrograms) {
  for (const char* verb : {"check", "prove", "inspect", "map"}) {
    EXPECT_LE(RunCommand({verb, kExternalPte, "--data", kExternalPtd}).exit_code, 1) << verb;
    EXPECT_EQ(RunCommand({verb, kExternalPte, "--data", kOtherPtd}).exit_code, 2) << verb;
    EXPECT_EQ(RunCommand({verb, kExternalPte, "--data", "/nowhere.ptd"}).exit_code, 66) << verb;
  }
  for (const char* verb : {"run", "eval", "diff"}) {
    EXPECT_EQ(RunCommand({verb, kExternalPte, "--data", "/nowhere.ptd"}).exit_code, 66) << verb;
  }
  EXPECT_EQ(
      RunCommand({"diff", kExternalPte, "--data", kOtherPtd, "--data", kExternalPtd}).exit_code, 0);
}

TEST(ManifestFlag, IsTakenByEachVerbThatUsesAManifest) {
  const TempFolder folder;
  const std::string wrong = folder.Write("m.json", R"({"pteproof": 1, "polizy": "private"})");
  for (const char* verb : {"check", "prove", "map", "run", "eval", "diff"}) {
    EXPECT_EQ(RunCommand({verb, kCounterPte, "--manifest", wrong}).exit_code, 64) << verb;
    EXPECT_EQ(RunCommand({verb, kCounterPte, "--manifest", "/nowhere.json"}).exit_code, 66) << verb;
    EXPECT_EQ(RunCommand({verb, kCounterPte, "--no-manifest", "--manifest", wrong}).exit_code, 64)
        << verb;
    EXPECT_LT(RunCommand({verb, kCounterPte, "--no-manifest"}).exit_code, 64) << verb;
  }
}

TEST(JsonFlag, PrintsJsonOfEachVerbThatTakesIt) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "--json", kCounterPte},
           {"prove", "--json", kCounterPte},
           {"inspect", "--json", kCounterPte},
           {"diff", "--json", kCounterPte},
           {"rules", "--json"},
           {"rules", "--json", "state-split"},
           {"plan", "--json", "--report", "-o", "/dev/null", kCounterModule},
           {"random", "--json", "--statistics", "--cases", "5"}}) {
    std::istringstream lines(RunCommand(words).out);
    size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      EXPECT_TRUE(Json::accept(line)) << words.front() << ": " << line;
    }
    EXPECT_GT(count, 0U) << words.front();
  }
}

TEST(StandardOutput, IsAFileNamedByADash) {
  EXPECT_EQ(RunCommand({"map", kCounterPte, "-o", "-"}).out, RunCommand({"map", kCounterPte}).out);
  const std::string table = PTEPROOF_CORPUS_DIR "/tables/three.csv";
  EXPECT_EQ(RunCommand({"place", table, "-o", "-"}).out, RunCommand({"place", table}).out);
  const TempFolder folder;
  const std::string file = folder.path() + "/m.pte";
  EXPECT_EQ(RunCommand({"plan", kCounterModule, "-o", file}).exit_code, 0);
  EXPECT_EQ(RunCommand({"plan", kCounterModule, "-o", "-"}).out, ReadText(file));
  const CommandResult page = RunCommand({"check", kCounterPte, "--html", "-"});
  EXPECT_THAT(page.out, StartsWith("<!DOCTYPE html"));
  EXPECT_EQ(RunCommand({"check", kCounterPte, "--html", "-", "--json"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"plan", kCounterModule, "-o", "-", "--write-manifest"}).exit_code, 64);
}

TEST(OutputFile, KeepsItsModeAndTheFileThatALinkNames) {
  const TempFolder folder;
  const std::string file = folder.Write("there.svg", "old");
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  const std::string link = folder.path() + "/link.svg";
  std::filesystem::create_symlink("there.svg", link);
  EXPECT_EQ(RunCommand({"map", kCounterPte, "-o", link}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(ReadText(file), HasSubstr("<svg"));
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(FilesBelow(folder.path()).size(), 2U);
}

TEST(Tables, FitATerminalDownToSixtyColumns) {
  const std::string block = PTEPROOF_CORPUS_DIR "/real/models/llama_block/llama_block.pte";
  for (const size_t columns : {60U, 80U, 100U}) {
    setenv("COLUMNS", std::to_string(columns).c_str(), 1);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"rules"}, {"inspect", block}, {"help", "plan"}}) {
      std::istringstream lines(RunCommand(words).out);
      for (std::string line; std::getline(lines, line);) {
        // Instructions, usages and long choices of words are not tables.
        if (line.find('(') != std::string::npos || line.find('|') != std::string::npos) continue;
        if (line.find(PTEPROOF_CORPUS_DIR) != std::string::npos) continue;
        EXPECT_LE(line.size(), std::max<size_t>(columns, 80)) << line;
        if (words.front() != "help") EXPECT_LE(line.size(), columns) << line;
      }
    }
    unsetenv("COLUMNS");
  }
}

}  // namespace
}  // namespace pteproof
