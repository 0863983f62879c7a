#include "runtime/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

TEST(ReadFileBytes, ReadsAllBytes) {
  const TempFolder folder;
  const std::string content = std::string("a\0b\xff", 4) + std::string(100000, 'x');
  const auto bytes = ReadFileBytes(folder.Write("file", content));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()),
            content);
}

TEST(ReadFileBytes, ReadsAnEmptyFile) {
  const TempFolder folder;
  const auto bytes = ReadFileBytes(folder.Write("file", ""));
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(bytes.value().empty());
}

TEST(ReadFileBytes, SaysThatAFileIsMissing) {
  const auto bytes = ReadFileBytes("/nowhere/at/all.pte");
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("No such file"));
}

TEST(ReadFileBytes, RefusesAFolder) {
  const TempFolder folder;
  const auto bytes = ReadFileBytes(folder.path());
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("folder"));
}

TEST(ReadFileBytes, RefusesAPipeWithoutWaitingForItsWriter) {
  const TempFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto bytes = ReadFileBytes(pipe);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("not a regular file"));
}

TEST(ReadFileBytes, RefusesADeviceWithoutEnd) {
  EXPECT_FALSE(ReadFileBytes("/dev/zero").ok());
}

TEST(ReadStream, ReadsAPipeToItsEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  close(ends[1]);
  const auto bytes = ReadStream(ends[0]);
  close(ends[0]);
  ASSERT_TRUE(bytes.ok());
  ASSERT_EQ(bytes.value().size(), 3U);
  EXPECT_EQ(std::to_integer<char>(bytes.value()[2]), 'c');
}

TEST(ReadStream, ReadsMoreThanOneBuffer) {
  const TempFolder folder;
  const std::string content(200000, 'x');
  FILE* file = fopen(folder.Write("file", content).c_str(), "r");
  ASSERT_NE(file, nullptr);
  const auto bytes = ReadStream(fileno(file));
  fclose(file);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes.value().size(), content.size());
}

TEST(ReadStream, SaysWhyItCannotRead) {
  EXPECT_FALSE(ReadStream(-1).ok());
}

}  // namespace
}  // namespace pteproof
