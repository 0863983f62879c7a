// Pages that say what the command line itself knows: which verb takes which flag.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/command_line.h"
#include "cli/arguments/description.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::string kVerbsFile = PTEPROOF_SOURCE_DIR "/docs/reference/verbs.md";
const std::string kCommandFile = PTEPROOF_SOURCE_DIR "/docs/reference/command.md";

// `text` with a backslash before each of `special`.
std::string Escaped(const std::string& text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string RowOf(const ArgumentInfo& argument) {
  std::string names;
  for (const std::string& name : argument.names) {
    names += (names.empty() ? "`" : ", `") + name;
    if (name.starts_with("-") && !argument.value.empty()) names += " " + argument.value;
    names += '`';
  }
  return fmt::format("| {} | {} |\n", Escaped(names, "|"), Escaped(argument.text, "|["));
}

std::string VerbText(const VerbInfo& verb) {
  std::string text =
      fmt::format("\n## {}\n\n{}.\n\n| argument | meaning |\n|---|---|\n", verb.name, verb.text);
  for (const ArgumentInfo& value : verb.values) text += RowOf(value);
  for (const ArgumentInfo& flag : verb.flags) text += RowOf(flag);
  if (!verb.exit_codes.empty()) text += "\nExit codes: " + verb.exit_codes + "\n";
  for (const std::string& example : verb.examples) {
    text += fmt::format("\n```sh\n{}\n```\n", example);
  }
  return text;
}

std::string VerbsPageText() {
  std::string page =
      "# Verbs\n\nMade from the description of the command line, which `pteproof help VERB` "
      "prints. [The command line](command.md) describes what verbs have in common.\n";
  const CommandLine command_line;
  for (const VerbInfo& verb : Describe(command_line.app()).verbs) page += VerbText(verb);
  return page;
}

// With PTEPROOF_UPDATE_DOCS in the environment the page is written anew.
TEST(VerbsPage, SaysWhatTheHelpTextsSay) {
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kVerbsFile) << VerbsPageText();
  EXPECT_EQ(ReadText(kVerbsFile), VerbsPageText());
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
