// The version is one number, in the headers, the library and the build.
#include "pteproof/version.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "tests/support/files.h"

namespace pteproof {
namespace {

std::string ProjectVersion() {
  const std::string text = ReadText(std::filesystem::path(PTEPROOF_SOURCE_DIR) / "CMakeLists.txt");
  std::smatch match;
  const std::regex version(R"(project\(pteproof VERSION ([0-9.]+))");
  return std::regex_search(text, match, version) ? match[1].str() : "";
}

TEST(Version, IsTheProjects) {
  EXPECT_EQ(Version(), ProjectVersion());
}

TEST(Version, HasItsNumbersAsConstants) {
  EXPECT_EQ(kVersion, std::to_string(kVersionMajor) + "." + std::to_string(kVersionMinor) + "." +
                          std::to_string(kVersionPatch));
}

}  // namespace
}  // namespace pteproof
