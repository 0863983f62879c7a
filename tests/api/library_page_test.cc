// docs/reference/library.md has a row for each public header, and for no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::filesystem::path kRoot = PTEPROOF_SOURCE_DIR;

TEST(LibraryPage, ListsThePublicHeaders) {
  std::set<std::string> headers;
  for (const auto& path : FilesBelow(kRoot / "include")) {
    headers.insert(path.lexically_relative(kRoot / "include").generic_string());
  }
  std::set<std::string> listed;
  const std::string page = ReadText(kRoot / "docs/reference/library.md");
  const std::regex row(R"(\n\| `([^`]+)` \|)");
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it) {
    listed.insert((*it)[1]);
  }
  EXPECT_EQ(listed, headers);
}

}  // namespace
}  // namespace pteproof
