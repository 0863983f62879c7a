// Files that are no files, that cannot be read, or that change while they are read.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <thread>

#include "cli/io/load_file.h"
#include "tests/cli/plain_user.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

const std::string kSmallFile = std::string(PTEPROOF_CORPUS_DIR) + "/public/add_model.pte";

TEST(LoadHostile, SaysThatAFileMayNotBeRead) {
  const TempFolder folder;
  const std::string file = folder.Write("closed.pte", "bytes");
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  const PlainUser user;
  const auto bytes = LoadFile(file);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("Permission denied"));
}

// The kernel's own files say that they have no bytes, and have some.
TEST(LoadHostile, RefusesAFileWithMoreBytesThanItsSize) {
  const std::string path = "/proc/self/status";
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  ASSERT_EQ(status.st_size, 0);
  const auto bytes = LoadFile(path);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().why, HasSubstr("its size changed while it was read"));
}

// Whatever moment it is cut or grown at: all bytes of one size, or the error.
TEST(LoadHostile, GivesOneSizeOfAFileThatChangesOrAnError) {
  constexpr size_t kLow = 1 << 16;
  constexpr size_t kHigh = 1 << 22;
  const TempFolder folder;
  const std::string path = folder.Write("file", std::string(kLow, 'x'));
  std::atomic<bool> done = false;
  std::thread writer([&] {
    while (!done) {
      EXPECT_EQ(truncate(path.c_str(), kHigh), 0);
      EXPECT_EQ(truncate(path.c_str(), kLow), 0);
    }
  });
  for (int i = 0; i < 200; ++i) {
    const auto bytes = LoadFile(path);
    if (bytes.ok()) {
      EXPECT_TRUE(bytes.value()->size() == kLow || bytes.value()->size() == kHigh);
    } else {
      EXPECT_THAT(bytes.error().why, HasSubstr("its size changed while it was read"));
    }
  }
  done = true;
  writer.join();
}

TEST(LoadHostile, HasNoMemoryForAFileAsLargeAsFilesGet) {
  const int file = memfd_create("sparse", 0);
  ASSERT_GE(file, 0);
  EXPECT_EQ(ftruncate(file, std::numeric_limits<off_t>::max()), 0);
  EXPECT_THROW((void)LoadFile("/proc/self/fd/" + std::to_string(file)), std::bad_alloc);
  close(file);
}

struct Unreadable {
  std::string input;  // empty: closed
  std::string why;
};

TEST(LoadHostile, StandardInputThatCannotBeReadIsAnError) {
  const TempFolder folder;
  for (const Unreadable& given :
       {Unreadable{folder.path(), "Is a directory"}, Unreadable{"", "Bad file descriptor"}}) {
    const CommandResult result = RunCommand({"check", "-"}, given.input);
    EXPECT_EQ(result.exit_code, 66) << given.why;
    EXPECT_THAT(result.out, HasSubstr(given.why));
  }
}

// What somebody writes until it is closed.
CommandResult CheckFromPipe(const std::string& contents) {
  const TempFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << contents; });
  CommandResult result = RunCommand({"check", "-"}, pipe);
  writer.join();
  return result;
}

TEST(LoadHostile, StandardInputMayBeAFileOrAPipe) {
  const TempFolder folder;
  EXPECT_EQ(RunCommand({"check", "-"}, kSmallFile).exit_code, 0);
  EXPECT_EQ(CheckFromPipe(ReadText(kSmallFile)).exit_code, 0);
  const std::string empty = folder.Write("empty.pte", "");
  for (const CommandResult& nothing : {RunCommand({"check", "-"}, empty), CheckFromPipe("")}) {
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_THAT(nothing.out, HasSubstr("file-too-short"));
  }
}

// Opened files get the lowest free number, which is standard input's where that is closed.
TEST(LoadHostile, NoFileIsTakenForClosedStandardInput) {
  const TempFolder folder;
  for (int i = 0; i < 20; ++i) (void)folder.Copy(kSmallFile, std::to_string(i) + ".pte");
  const CommandResult result = RunCommand({"check", "-q", "-j", "4", folder.path(), "-"}, "");
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.out, HasSubstr("-: unreadable"));
}

TEST(LoadHostile, PipesAndDevicesAreErrorsOfTheirOwnBesideFiles) {
  const TempFolder folder;
  const std::string pipe = folder.path() + "/pipe.pte";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const CommandResult result = RunCommand({"check", pipe, "/dev/zero", folder.path(), kSmallFile});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_THAT(result.out, HasSubstr(pipe + ": unreadable"));
  EXPECT_THAT(result.out, HasSubstr("/dev/zero: unreadable"));
  EXPECT_THAT(result.out, HasSubstr("add_model.pte: safe"));
}

}  // namespace
}  // namespace pteproof
