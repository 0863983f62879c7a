// What README and docs show is what the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct Example {
  std::string where;    // README.md:26
  std::string command;  // after the `$`
  std::string shown;
  bool to_the_end = true;  // false: more is printed than is shown
};

std::vector<std::string> LinesOf(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool IsCommand(const std::string& line) {
  return line.starts_with("$ pteproof ") || line.starts_with("$ build/release/pteproof ");
}

// Lines of a code block after `$ pteproof ...`, up to the next `$`, an ellipsis or the block's end.
std::vector<Example> ExamplesIn(const fs::path& file) {
  std::vector<Example> examples;
  const std::vector<std::string> lines = LinesOf(file);
  bool in_block = false;
  bool open = false;  // lines belong to the last example
  for (size_t n = 0; n < lines.size(); ++n) {
    const std::string& line = lines[n];
    if (line.starts_with("```")) {
      in_block = !in_block;
      open = false;
    } else if (in_block && IsCommand(line)) {
      examples.push_back({file.filename().string() + ":" + std::to_string(n + 1),
                          line.substr(line.find("pteproof ") + 9), ""});
      open = true;
    } else if (line.starts_with("$ ")) {
      open = false;
    } else if (open && line.starts_with("...")) {
      examples.back().to_the_end = false;
      open = false;
    } else if (open) {
      examples.back().shown += line + "\n";
    }
  }
  return examples;
}

std::string Trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// What the commands of a page write lies in a folder, where later ones find it by its name.
struct PageFolder {
  TempFolder folder;
  std::set<std::string> written;

  std::string InFolder(const std::string& name) const { return folder.path() + "/" + name; }

  std::string Without(std::string text) const {
    const std::string prefix = folder.path() + "/";
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
};

void ExpectToBeTrue(const Example& example, PageFolder& page) {
  SCOPED_TRACE(example.where + ": pteproof " + example.command);
  std::istringstream words(example.command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) {
    if (!arguments.empty() && arguments.back() == "-o") {
      page.written.insert(word);
      page.written.insert(fs::path(word).replace_extension(".manifest.json").string());
    }
    arguments.push_back(page.written.contains(word) ? page.InFolder(word) : word);
  }
  const CommandResult result = RunCommand(arguments);
  const std::string out = page.Without(result.out);
  if (example.to_the_end) {
    EXPECT_EQ(Trimmed(out), Trimmed(example.shown)) << result.err;
  } else {
    EXPECT_THAT(out, testing::StartsWith(example.shown)) << result.err;
  }
}

TEST(Documentation, ShowsWhatTheCommandPrints) {
  fs::current_path(PTEPROOF_SOURCE_DIR);
  std::vector<fs::path> pages = {"README.md", "corpus/modules/README.md"};
  for (const auto& page : fs::directory_iterator("docs")) pages.push_back(page.path());
  size_t shown = 0;
  for (const fs::path& page : pages) {
    PageFolder folder;
    for (const Example& example : ExamplesIn(page)) {
      ExpectToBeTrue(example, folder);
      ++shown;
    }
  }
  EXPECT_GE(shown, 9);
}

// A block without a command that is a whole Module.
TEST(Documentation, ShowsModulesThatFormatToThemselves) {
  fs::current_path(PTEPROOF_SOURCE_DIR);
  const std::vector<std::string> lines = LinesOf("docs/modules.md");
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
