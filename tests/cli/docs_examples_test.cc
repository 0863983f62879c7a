// What README and docs show is what the command prints.
//
// A block holds commands after `$` and their output. Lines of `...` stand for lines that are left
// out. A block with a title, json title="NAME", is a file that later commands of the page name, as
// they name what earlier ones wrote; so is FILE of `$ cp FILE .`. `$ echo $?` shows the exit code
// of the command before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

struct Example {
  std::string where;    // docs/index.md:26
  std::string command;  // after the `$`
  Lines shown;
};

// A file, or what a page shows of one.
struct Page {
  std::vector<Example> examples;
  std::vector<std::pair<std::string, std::string>> files;  // name, text
};

Lines LinesOf(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool IsCommand(const std::string& line) {
  return line.starts_with("$ pteproof ") || line.starts_with("$ build/release/pteproof ") ||
         line.starts_with("$ cp ") || line == "$ echo $?";
}

// "signatures.txt" of "```text title="signatures.txt"", else empty.
std::string TitleOf(const std::string& fence) {
  constexpr std::string_view kTitle = "title=\"";
  const size_t at = fence.find(kTitle);
  if (at == std::string::npos) return "";
  const size_t begin = at + kTitle.size();
  return fence.substr(begin, fence.find('"', begin) - begin);
}

Page ReadPage(const std::string& path) {
  Page page;
  bool in_block = false;
  bool open = false;  // lines belong to the last example
  bool titled = false;
  size_t number = 0;
  size_t indent = 0;  // of the block, in a list
  for (std::string line : LinesOf(ReadText(path))) {
    ++number;
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    if (!in_block) indent = blanks;
    line.erase(0, std::min(indent, blanks));
    if (line.starts_with("```")) {
      in_block = !in_block;
      open = false;
      const std::string title = in_block ? TitleOf(line) : "";
      titled = !title.empty();
      if (titled) page.files.emplace_back(title, "");
    } else if (titled) {
      page.files.back().second += line + "\n";
    } else if (in_block && IsCommand(line)) {
      page.examples.push_back({path + ":" + std::to_string(number), line.substr(2), {}});
      open = true;
    } else if (line.starts_with("$ ")) {
      open = false;
    } else if (open) {
      page.examples.back().shown.push_back(line);
    }
  }
  return page;
}

void DropLastEmpty(Lines& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

bool IsEllipsis(const std::string& line) {
  return line == "..." || line.starts_with("... ");
}

// Lines between ellipses follow each other in `out`, in this order; the first begin it, and the
// last end it, unless an ellipsis stands there. Returns the first line that does not, else empty.
std::string FirstUntrue(Lines shown, Lines out) {
  DropLastEmpty(shown);
  DropLastEmpty(out);
  auto at = out.begin();
  auto from = shown.begin();
  bool anywhere = false;
  while (true) {
    const auto to = std::find_if(from, shown.end(), IsEllipsis);
    const bool last = to == shown.end();
    auto found = anywhere ? std::search(at, out.end(), from, to) : at;
    if (last && anywhere && to - from <= out.end() - at) found = out.end() - (to - from);
    for (auto line = from; line != to; ++line, ++found) {
      if (found == out.end() || *found != *line) return *line;
    }
    at = found;
    if (last) return at == out.end() ? "" : "(end)";
    from = to + 1;
    anywhere = true;
    if (from == shown.end()) return "";
  }
}

TEST(Documentation, LeavesLinesOutOnlyAtAnEllipsis) {
  const Lines out = {"a", "b", "c", "d"};
  EXPECT_EQ(FirstUntrue({"a", "b", "c", "d", ""}, out), "");
  EXPECT_EQ(FirstUntrue({"a", "...", "d"}, out), "");
  EXPECT_EQ(FirstUntrue({"...", "b", "c", "..."}, out), "");
  EXPECT_EQ(FirstUntrue({"a", "..."}, out), "");
  EXPECT_EQ(FirstUntrue({"...", "d"}, out), "");
  EXPECT_EQ(FirstUntrue({}, {""}), "");
  EXPECT_EQ(FirstUntrue({"a", "b"}, out), "(end)");
  EXPECT_EQ(FirstUntrue({"a", "c"}, out), "c");
  EXPECT_EQ(FirstUntrue({"b", "..."}, out), "b");
  EXPECT_EQ(FirstUntrue({"...", "c", "...", "b", "..."}, out), "b");
  EXPECT_EQ(FirstUntrue({"...", "b", "d", "..."}, out), "b");
  EXPECT_EQ(FirstUntrue({"...", "c"}, out), "c");
  EXPECT_EQ(FirstUntrue({"a", "b", "c", "d", "e"}, out), "e");
}

// The folder of a page's files, where commands find by name what the page shows and what earlier
// commands wrote.
struct PageFolder {
  TempFolder folder;
  std::set<std::string> names;
  int exit_code = 0;  // of the last command

  std::string InFolder(const std::string& name) const { return folder.path() + "/" + name; }

  std::string Without(std::string text) const {
    const std::string prefix = folder.path() + "/";
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
};

bool WritesNextWord(const std::string& word) {
  return word == "-o" || word == "--html" || word == "--certificate" || word == ">";
}

// The words of each command of a pipe, without `pteproof`. Files of the page are in its folder.
std::vector<Lines> CommandsOf(const std::string& line, PageFolder& page) {
  std::vector<Lines> commands;
  std::istringstream words(line);
  std::string last = "|";
  for (std::string word; words >> word; last = word) {
    if (WritesNextWord(last)) {
      page.names.insert(word);
      page.names.insert(fs::path(word).replace_extension(".manifest.json").string());
    }
    if (last == "|") {
      commands.emplace_back();  // the word is `pteproof`
    } else if (word != "|") {
      std::erase(word, '\'');
      commands.back().push_back(page.names.contains(word) ? page.InFolder(word) : word);
    }
  }
  return commands;
}

std::string Run(const Example& example, PageFolder& page) {
  if (example.command == "echo $?") return std::to_string(page.exit_code);
  if (example.command.starts_with("cp ")) {
    const fs::path file = example.command.substr(3, example.command.rfind(' ') - 3);
    EXPECT_TRUE(example.command.ends_with(" .")) << example.where;
    page.names.insert(file.filename().string());
    (void)page.folder.Copy(file, file.filename().string());
    return "";
  }
  CommandResult result;
  std::string input = "/dev/null";
  for (Lines& command : CommandsOf(example.command, page)) {
    std::string redirected;
    if (command.size() > 2 && command[command.size() - 2] == ">") {
      redirected = command.back();
      command.resize(command.size() - 2);
    }
    result = RunCommand(command, input);
    // Neither wrong usage, nor a missing file, nor a bug in pteproof.
    EXPECT_LT(result.exit_code, 64) << result.err;
    input = page.folder.Write("piped", result.out);
    if (redirected.empty()) continue;
    std::ofstream(redirected) << result.out;
    result.out.clear();
  }
  page.exit_code = result.exit_code;
  return page.Without(result.out);
}

void ExpectToBeTrue(const std::string& path, size_t& shown) {
  const Page page = ReadPage(path);
  PageFolder folder;
  for (const auto& [name, text] : page.files) {
    folder.names.insert(name);
    (void)folder.folder.Write(name, text);
  }
  for (const Example& example : page.examples) {
    const std::string out = Run(example, folder);
    EXPECT_EQ(FirstUntrue(example.shown, LinesOf(out)), "")
        << example.where << ": " << example.command << "\n"
        << out;
    ++shown;
  }
}

TEST(Documentation, ShowsWhatTheCommandPrints) {
  RecordProperty("slow", "runs the command of every example");
  fs::current_path(PTEPROOF_SOURCE_DIR);
  std::vector<fs::path> pages = {"README.md", "corpus/modules/README.md"};
  for (const fs::path& page : FilesBelow("docs")) {
    const bool generated = page == "docs/reference/rules.md";  // RulesPage compares it
    if (page.extension() == ".md" && !generated) pages.push_back(page);
  }
  size_t shown = 0;
  for (const fs::path& page : pages) ExpectToBeTrue(page.generic_string(), shown);
  EXPECT_GE(shown, 40U);
}

// tests/python/export runs it, if PyTorch is there.
TEST(Documentation, ShowsTheExampleOfTheTutorial) {
  const std::string root = PTEPROOF_SOURCE_DIR;
  const std::string page = ReadText(root + "/docs/tutorial.md");
  const size_t begin = page.find("```python\n") + 10;
  const std::string shown = page.substr(begin, page.find("```\n", begin) - begin);
  EXPECT_TRUE(ReadText(root + "/examples/two_conds.py").ends_with(shown)) << shown;
}

// A block without a command that is a whole Module.
TEST(Documentation, ShowsModulesThatFormatToThemselves) {
  fs::current_path(PTEPROOF_SOURCE_DIR);
  const Lines lines = LinesOf(ReadText("docs/reference/modules.md"));
  const TempFolder folder;
  size_t modules = 0;
  for (size_t n = 0; n < lines.size(); ++n) {
    if (lines[n] != "```module") continue;
    std::string text;
    while (++n < lines.size() && lines[n] != "```") text += lines[n] + "\n";
    const CommandResult result = RunCommand({"fmt", folder.Write("shown.module", text)});
    EXPECT_EQ(result.out, text) << result.err;
    ++modules;
  }
  EXPECT_GE(modules, 1);
}

}  // namespace
}  // namespace pteproof
