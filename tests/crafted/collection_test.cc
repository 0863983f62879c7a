#include "tests/crafted/collection.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

const std::filesystem::path kCommitted = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "crafted";

// On failure: `make_crafted corpus/crafted` writes the folder anew.
TEST(CraftedCollection, IsWhatTheTablesMake) {
  for (const auto& [path, content] : MakeCollection()) {
    EXPECT_TRUE(ReadText(kCommitted / path) == content) << path << " differs from its table";
  }
}

TEST(CraftedCollection, HoldsNothingElse) {
  const auto made = MakeCollection();
  for (const auto& file : FilesBelow(kCommitted)) {
    const std::string path = std::filesystem::relative(file, kCommitted).generic_string();
    EXPECT_TRUE(made.contains(path)) << path << " is in no table";
  }
}

TEST(CraftedCollection, StaysSmall) {
  uintmax_t total = 0;
  for (const auto& file : FilesBelow(kCommitted)) total += std::filesystem::file_size(file);
  EXPECT_LT(total, 1'000'000U);
}

}  // namespace
}  // namespace pteproof::crafted
