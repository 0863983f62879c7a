// Pages that say what the command itself knows: the rules, and which verb takes which flag.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/finding_names.h"
#include "cli/arguments/command_line.h"
#include "cli/arguments/description.h"
#include "pteproof/rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::string kRulesFile = PTEPROOF_SOURCE_DIR "/docs/reference/rules.md";
const std::string kCommandFile = PTEPROOF_SOURCE_DIR "/docs/reference/command.md";

std::string RulesPageText() {
  std::string page =
      "# Rules\n\nMade from the catalogue, which `pteproof rules RULE` prints. Names never change "
      "meaning.\n";
  for (const RuleInfo& rule : AllRules()) {
    page += fmt::format("\n## {}\n\n{}: {}.\n\n**What must hold.** {}\n\n**Meaning.** {}\n",
                        rule.name, Name(rule.severity), rule.summary, rule.invariant, rule.meaning);
    page += fmt::format("\n**Example.** {}\n\n**Fix.** {}\n\n**Loader policies that matter.** {}\n",
                        rule.example, rule.fix, rule.policies);
  }
  return page;
}

// With PTEPROOF_UPDATE_DOCS in the environment the page is written anew.
TEST(RulesPage, SaysWhatTheCatalogueSays) {
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kRulesFile) << RulesPageText();
  EXPECT_EQ(ReadText(kRulesFile), RulesPageText());
}

std::vector<std::string> CellsOf(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    std::erase(cell, ' ');
    cells.push_back(cell);
  }
  return cells;
}

// "--manifest" and "--no-manifest" of "`--manifest`,`--no-manifest`".
std::vector<std::string> FlagsOf(const std::string& cell) {
  std::vector<std::string> flags;
  std::istringstream stream(cell);
  for (std::string flag; std::getline(stream, flag, ',');) {
    std::erase(flag, '`');
    flags.push_back(flag);
  }
  return flags;
}

TEST(CommandPage, HasATableOfTheFlagsThatVerbsShare) {
  std::map<std::string, std::set<std::string>> takers;  // verbs by flag
  const CommandLine command_line;
  for (const VerbInfo& verb : Describe(command_line.app()).verbs) {
    for (const ArgumentInfo& flag : verb.flags) {
      for (const std::string& name : flag.names) takers[name].insert(verb.name);
    }
  }
  std::istringstream page(ReadText(kCommandFile));
  std::vector<std::string> verbs;
  size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| flag | check |")) verbs = CellsOf(line);
    if (verbs.empty() || !line.starts_with("| `-")) continue;
    const std::vector<std::string> cells = CellsOf(line);
    if (cells.size() != verbs.size()) break;  // another table
    for (const std::string& flag : FlagsOf(cells.front())) {
      std::set<std::string> shown;
      for (size_t i = 1; i < cells.size(); ++i) {
        if (cells[i] == "x") shown.insert(verbs[i]);
      }
      takers[flag].erase("mutants");  // has a description of its own
      EXPECT_EQ(shown, takers[flag]) << flag;
    }
    ++rows;
  }
  EXPECT_GE(rows, 12U);
}

}  // namespace
}  // namespace pteproof
