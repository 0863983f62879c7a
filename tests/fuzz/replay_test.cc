// Replays the stored corpus through the fuzz targets' functions: a find that was fixed stays fixed.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

// Returns how many files were replayed. Each name is printed first: a crash says whose it is.
size_t Replay(const std::string& folder) {
  const auto files = FilesBelow(std::filesystem::path(PTEPROOF_CORPUS_DIR) / folder);
  for (const std::filesystem::path& file : files) {
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);
    const std::vector<std::byte> bytes = ReadBytes(file);
    for (const fuzz::Target& target : fuzz::AllTargets()) static_cast<void>(target.run(bytes));
  }
  return files.size();
}

TEST(Replay, SeedsEndInAVerdict) {
  EXPECT_GE(Replay("seeds"), 50U);
}

TEST(Replay, CraftedFilesEndInAVerdict) {
  EXPECT_GE(Replay("crafted"), 1U);
}

TEST(Replay, RegressionsStayFixed) {
  EXPECT_GE(Replay("regressions"), 1U);
}

TEST(Replay, EmptyInputIsRefused) {
  for (const fuzz::Target& target : fuzz::AllTargets()) {
    EXPECT_NE(target.run({}), fuzz::Stage::kJudged) << target.name;
  }
}

}  // namespace
}  // namespace pteproof
