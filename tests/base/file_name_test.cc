#include "base/file_name.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace pteproof {
namespace {

// The second name is no UTF-8, which a file on Linux may have.
TEST(FileName, KeepsEveryByte) {
  for (const std::string name : {"models/\xC3\xA9t\xC3\xA9.pte", "models/\xFF.pte", "", "."}) {
    EXPECT_EQ(FilePath(name), std::filesystem::path(name));
    EXPECT_EQ(FileName(FilePath(name)), name);
    EXPECT_EQ(PortableName(FilePath(name)), name);
  }
}

}  // namespace
}  // namespace pteproof
