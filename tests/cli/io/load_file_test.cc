#include "cli/io/load_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

TEST(LoadFile, ReadsAllBytes) {
  const TempFolder folder;
  const std::string content = std::string("a\0b\xff", 4) + std::string(100000, 'x');
  const auto bytes = LoadFile(folder.Write("file", content));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()),
            content);
}

TEST(LoadFile, ReadsAnEmptyFile) {
  const TempFolder folder;
  const auto bytes = LoadFile(folder.Write("file", ""));
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(bytes.value().empty());
}

TEST(LoadFile, SaysThatAFileIsMissing) {
  const auto bytes = LoadFile("/nowhere/at/all.pte");
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("No such file"));
}

TEST(LoadFile, RefusesAFolder) {
  const TempFolder folder;
  const auto bytes = LoadFile(folder.path());
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("folder"));
}

TEST(LoadFile, RefusesAPipeWithoutWaitingForItsWriter) {
  const TempFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto bytes = LoadFile(pipe);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("no regular file"));
}

TEST(LoadFile, RefusesADeviceWithoutEnd) {
  EXPECT_FALSE(LoadFile("/dev/zero").ok());
}

}  // namespace
}  // namespace pteproof
