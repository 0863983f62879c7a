// The version is one number, in the headers, the library and the build.
#include "pteproof/version.h"

#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

TEST(Version, IsTheProjects) {
  EXPECT_EQ(Version(), PTEPROOF_PROJECT_VERSION);
}

TEST(Version, HasItsNumbersAsConstants) {
  EXPECT_EQ(kVersion, std::to_string(kVersionMajor) + "." + std::to_string(kVersionMinor) + "." +
                          std::to_string(kVersionPatch));
}

}  // namespace
}  // namespace pteproof
