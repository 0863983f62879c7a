#include "tests/structure/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Links, AreFoundOutsideOfCode) {
  const auto links =
      LinksIn("[a](b.md) and [c](d.md#e)\n`[x](y.md)`\n```\n[x](y.md)\n```\n[f](#g)");
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].path, "b.md");
  EXPECT_EQ(links[1].path, "d.md");
  EXPECT_EQ(links[1].anchor, "e");
  EXPECT_EQ(links[2].path, "");
  EXPECT_EQ(links[2].line, 6U);
  EXPECT_THAT(LinksIn("[a](https://example.org/b.md)"), IsEmpty());
}

TEST(Pages, HaveProseAndCode) {
  EXPECT_EQ(WithoutCode("a `b` c\n```\nd\n```\ne"), "a ` ` c\n\n\n\ne\n");
}

TEST(Links, GoToHeadings) {
  EXPECT_THAT(AnchorsIn("# A b\n## `--json`: one, two\n```\n# no\n```\n## A b\n#no\n"),
              ElementsAre("--json-one-two", "a-b", "a-b-1"));
}

TEST(Links, AreBrokenIfFileOrHeadingDoesNotExist) {
  const std::map<std::string, std::string> files = {
      {"docs/a.md", "[b](b.md#here) [b](b.md#there)\n[c](../c.md) [d](sub/d.md) [a](#up)\n# Up"},
      {"docs/b.md", "# Here\n"},
      {"docs/sub/d.md", ""}};
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  };
  EXPECT_THAT(BrokenLinks("docs/a.md", read),
              ElementsAre("docs/a.md:1: docs/b.md has no heading #there",
                          "docs/a.md:2: c.md does not exist"));
}

std::optional<std::string> ReadFromRoot(const std::string& path) {
  const fs::path file = fs::path(PTEPROOF_SOURCE_DIR) / path;
  if (fs::is_directory(file)) return "";
  if (!fs::is_regular_file(file)) return std::nullopt;
  return ReadText(file);
}

std::vector<std::string> PagesIn(const std::string& folder) {
  const fs::path root = PTEPROOF_SOURCE_DIR;
  std::vector<std::string> pages;
  for (const fs::path& file : FilesBelow(root / folder)) {
    if (file.extension() != ".md") continue;
    pages.push_back(file.lexically_relative(root).generic_string());
  }
  return pages;
}

TEST(Pages, HaveNoBrokenLink) {
  std::vector<std::string> pages = {"README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md",
                                    "CONTRIBUTING.md", "SECURITY.md"};
  for (const char* folder : {"docs", "corpus", "python"}) {
    for (const std::string& page : PagesIn(folder)) pages.push_back(page);
  }
  std::string all;
  for (const std::string& page : pages) {
    for (const std::string& broken : BrokenLinks(page, ReadFromRoot)) all += broken + "\n";
  }
  EXPECT_EQ(all, "");
}

TEST(Pages, AreReachedFromTheIndex) {
  std::set<std::string> reached = {"docs/index.md"};
  std::vector<std::string> open = {"docs/index.md"};
  while (!open.empty()) {
    const std::string page = open.back();
    open.pop_back();
    for (const Link& link : LinksIn(ReadFromRoot(page).value_or(""))) {
      const std::string target = TargetOf(page, link);
      if (target.ends_with(".md") && reached.insert(target).second) open.push_back(target);
    }
  }
  for (const std::string& page : PagesIn("docs")) EXPECT_TRUE(reached.contains(page)) << page;
}

TEST(Pages, AreInTheNavigationOfTheSiteOnce) {
  const std::string site = ReadText(fs::path(PTEPROOF_SOURCE_DIR) / "mkdocs.yml");
  for (const std::string& page : PagesIn("docs")) {
    const std::string entry = ": " + page.substr(std::string("docs/").size()) + "\n";
    const size_t first = site.find(entry);
    EXPECT_NE(first, std::string::npos) << page << " is missing in mkdocs.yml";
    EXPECT_EQ(site.find(entry, first + 1), std::string::npos) << page << " is there twice";
  }
}

// The first page is short: what a newcomer does not need at once belongs into docs.
TEST(Pages, BeginWithAShortReadme) {
  std::istringstream words(ReadText(fs::path(PTEPROOF_SOURCE_DIR) / "README.md"));
  size_t number = 0;
  for (std::string word; words >> word;) ++number;
  EXPECT_LE(number, 750U);
}

}  // namespace
}  // namespace pteproof
