// The completions and the manual page that the build makes: they name all that the parser knows,
// and the shells that are here understand them.
#include "cli/arguments/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments/command_line.h"
#include "cli/arguments/man_page.h"
#include "pteproof/rules.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kDescribed = PTEPROOF_DESCRIBED "/";

CommandInfo TheCommand() {
  const CommandLine command_line;
  return Describe(command_line.app());
}

// Standard output of a program that is looked for in PATH; exit code -1: it is not there.
CommandResult RunProgram(const std::vector<std::string>& words) {
  const TempFolder folder;
  const std::string out = folder.Write("out", "");
  const std::string err = folder.Write("err", "");
  const pid_t child = StartCommand(words, "/dev/null", out, err);
  CommandResult result;
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  }
  result.out = ReadText(out);
  result.err = ReadText(err);
  return result;
}

bool IsInstalled(const std::string& program) {
  return RunProgram({"sh", "-c", "command -v " + program}).exit_code == 0;
}

// What bash offers after these words, of which the last is being written.
std::vector<std::string> Completed(const std::vector<std::string>& words) {
  std::string script = "source '" + kDescribed + "pteproof'; COMP_WORDS=(pteproof";
  for (const std::string& word : words) script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size()) +
            "; _pteproof; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const CommandResult result = RunProgram({"bash", "--norc", "-c", script});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  std::vector<std::string> offered;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) offered.push_back(line);
  }
  return offered;
}

TEST(Description, KnowsEachVerbWithItsFlags) {
  std::set<std::string> verbs;
  for (const VerbInfo& verb : TheCommand().verbs) {
    verbs.insert(verb.name);
    EXPECT_FALSE(verb.text.empty()) << verb.name;
    EXPECT_FALSE(verb.examples.empty()) << verb.name;
    for (const ArgumentInfo& flag : verb.flags) {
      EXPECT_FALSE(flag.text.empty()) << verb.name << " " << flag.names.front();
    }
  }
  EXPECT_EQ(verbs, std::set<std::string>({"assemble", "check", "compare", "dev",    "diff",
                                          "eval",     "fmt",   "help",    "init",   "inspect",
                                          "link",     "lint",  "map",     "memory", "mutants",
                                          "place",    "plan",  "prove",   "random", "replan",
                                          "rules",    "run",   "split",   "test",   "trust"}));
}

// A flag that several verbs take is a switch in all of them, or takes a value of one kind.
TEST(Description, GivesEachFlagOneMeaning) {
  std::map<std::string, std::pair<std::string, std::string>> known;  // verb and value
  for (const VerbInfo& verb : TheCommand().verbs) {
    for (const ArgumentInfo& flag : verb.flags) {
      for (const std::string& name : flag.names) {
        if (name == "--bank") continue;  // `plan` makes one, `map` draws one
        const auto [it, fresh] = known.insert({name, {verb.name, flag.value}});
        if (name == "--order") continue;    // of a program, or of a Module: one has a word more
        if (name == "--format") continue;   // likewise: `check` has forms that `compare` has not
        if (name == "--rename") continue;   // of one of many files, or of the old program
        if (name == "--fail-on") continue;  // kinds of verdicts, or parts of a comparison
        EXPECT_EQ(it->second.second, flag.value)
            << name << " of " << verb.name << " and of " << it->second.first;
      }
    }
  }
}

TEST(Completions, AndTheManualPageNameEveryVerbAndFlag) {
  const CommandInfo command = TheCommand();
  const std::string bash = ReadText(kDescribed + "pteproof");
  const std::string zsh = ReadText(kDescribed + "_pteproof");
  const std::string fish = ReadText(kDescribed + "pteproof.fish");
  const std::string man = ReadText(kDescribed + "pteproof.1");
  EXPECT_EQ(bash, BashCompletion(command));
  EXPECT_EQ(zsh, ZshCompletion(command));
  EXPECT_EQ(fish, FishCompletion(command));
  EXPECT_EQ(man, ManPage(command));
  for (const VerbInfo& verb : command.verbs) {
    const size_t in_zsh = zsh.find("    " + verb.name + ")\n");
    ASSERT_NE(in_zsh, std::string::npos) << verb.name;
    const std::string zsh_verb = zsh.substr(in_zsh, zsh.find(";;", in_zsh) - in_zsh);
    const size_t in_man = man.find(".SS " + verb.name + "\n");
    ASSERT_NE(in_man, std::string::npos) << verb.name;
    const std::string man_verb = man.substr(in_man, man.find("\n.S", in_man + 1) - in_man);
    EXPECT_THAT(fish, HasSubstr(" -a " + verb.name + " -d"));
    const auto flags = Completed({verb.name, "-"});
    for (const ArgumentInfo& flag : verb.flags) {
      for (const std::string& name : flag.names) {
        EXPECT_THAT(flags, Contains(name)) << verb.name;
        EXPECT_THAT(zsh_verb, HasSubstr(name + "[")) << verb.name;
        std::string plain;
        for (const char c : name) plain += c == '-' ? "\\-" : std::string(1, c);
        EXPECT_THAT(man_verb, HasSubstr("\\fB" + plain + "\\fR")) << verb.name;
        const bool is_long = name.starts_with("--");
        EXPECT_THAT(fish, testing::ContainsRegex(
                              "_from " + verb.name + "'.* -" +
                              (is_long ? "l " + name.substr(2) : "s " + name.substr(1)) + " "))
            << verb.name;
      }
    }
  }
}

TEST(BashCompletion, OffersVerbsFlagsAndWords) {
  EXPECT_THAT(Completed({"pl"}), ElementsAre("place", "plan"));
  EXPECT_THAT(Completed({"check", "--no-m"}), ElementsAre("--no-manifest"));
  EXPECT_THAT(Completed({"check", "--ignore", "plan-w"}), ElementsAre("plan-waste"));
  EXPECT_THAT(Completed({"check", "--policy", "share"}), ElementsAre("share-1-2", "share-all"));
  EXPECT_THAT(Completed({"check", "--policy", "=", "pr"}), ElementsAre("private"));
  EXPECT_THAT(Completed({"prove", "m.pte", "--order", ""}), ElementsAre("listed", "any", "strict"));
  EXPECT_THAT(Completed({"--color", "n"}), ElementsAre("never"));
  EXPECT_THAT(Completed({"help", "mu"}), ElementsAre("mutants"));
  EXPECT_THAT(Completed({"dev", "ra"}), ElementsAre("random"));
  EXPECT_THAT(Completed({"dev", "random", "--st"}), ElementsAre("--statistics"));
  EXPECT_THAT(Completed({"rules", "state-s"}), ElementsAre("state-split"));
  EXPECT_THAT(Completed({"rules", ""}), testing::SizeIs(AllRules().size()));
  EXPECT_THAT(Completed({"check", "--timeout", ""}), IsEmpty());
}

TEST(BashCompletion, OffersFilesAndFolders) {
  const TempFolder folder;
  const std::string file = folder.Write("model.pte", "");
  const std::string inner = folder.Write("inner/other.txt", "");
  EXPECT_THAT(Completed({"check", folder.path() + "/mo"}), ElementsAre(file));
  EXPECT_THAT(Completed({"check", "--manifest", folder.path() + "/mo"}), ElementsAre(file));
  EXPECT_THAT(Completed({"test", "--keep", folder.path() + "/"}),
              ElementsAre(folder.path() + "/inner"));
}

TEST(ZshCompletion, IsUnderstoodWhereZshIs) {
  if (!IsInstalled("zsh")) return;
  EXPECT_EQ(RunProgram({"zsh", "-n", kDescribed + "_pteproof"}).err, "");
}

TEST(FishCompletion, IsUnderstoodWhereFishIs) {
  if (!IsInstalled("fish")) return;
  EXPECT_EQ(RunProgram({"fish", "--no-execute", kDescribed + "pteproof.fish"}).err, "");
}

TEST(ManualPage, HasNoWarningsWhereManIs) {
  if (!IsInstalled("man") || !IsInstalled("groff")) return;
  const CommandResult page = RunProgram(
      {"man", "--warnings", "-E", "UTF-8", "-l", "-P", "cat", kDescribed + "pteproof.1"});
  EXPECT_EQ(page.err, "");
  EXPECT_THAT(page.out, HasSubstr("check"));
  EXPECT_THAT(page.out, Not(HasSubstr("\\f")));
}

}  // namespace
}  // namespace pteproof
