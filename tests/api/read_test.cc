// Programs from paths and from bytes of any type, and who owns what they point into.
#include "pteproof/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::filesystem::path kReadFiles = PTEPROOF_CORPUS_DIR;

TEST(ReadProgramFile, ReadsAProgram) {
  const auto file = ReadProgramFile(kReadFiles / "public/add_model.pte");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().program.methods.front().name, "forward");
}

TEST(ReadProgramFile, ReadsTheProgramInABundle) {
  const auto file = ReadProgramFile(kReadFiles / "crafted/base.bpte");
  ASSERT_TRUE(file.ok());
  EXPECT_THAT(file.value().program.methods, testing::Not(IsEmpty()));
}

TEST(ReadProgramFile, SaysWhyAFileIsRefused) {
  const auto file = ReadProgramFile(kReadFiles / "crafted/argument-out-of-range.pte");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().kind, ReadFailure::Kind::kMalformed);
  EXPECT_THAT(file.error().findings, SizeIs(1));
}

TEST(ReadProgramFile, SaysWhyABundleIsRefused) {
  const auto file = ReadProgramFile(kReadFiles / "crafted/bundle-case-without-input.bpte");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().kind, ReadFailure::Kind::kMalformed);
}

TEST(ReadProgramFile, SaysThatAFileCannotBeRead) {
  const auto missing = ReadProgramFile("nowhere/at/all.pte");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ReadFailure::Kind::kUnreadable);
  EXPECT_THAT(missing.error().why, HasSubstr("No such file"));
  const auto folder = ReadProgramFile(kReadFiles);
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().why, HasSubstr("folder"));
}

// The blobs of a copy point into bytes that the copy owns, too.
TEST(ReadProgramFile, KeepsTheBytesOfCopiesAlive) {
  std::optional<ProgramFile> copy;
  {
    auto file = ReadProgramFile(kReadFiles / "public/add_model.pte");
    ASSERT_TRUE(file.ok());
    copy = file.value();
  }
  const ProgramFile moved = *std::exchange(copy, std::nullopt);
  const Bytes one = moved.program.constants.at(1);
  ASSERT_GE(one.data(), moved.bytes->data());
  ASSERT_LE(one.data() + one.size(), moved.bytes->data() + moved.bytes->size());
  EXPECT_EQ(std::to_integer<int>(one[3]), 0x3F);  // the last byte of 1.0F
}

TEST(ReadProgram, TakesBytesOfEitherType) {
  const std::vector<std::byte> bytes = ReadBytes(kReadFiles / "public/add_model.pte");
  std::vector<uint8_t> numbers;
  for (const std::byte byte : bytes) numbers.push_back(std::to_integer<uint8_t>(byte));
  EXPECT_TRUE(ReadProgram(bytes).ok());
  EXPECT_TRUE(ReadProgram(numbers).ok());
  numbers.resize(100);
  EXPECT_FALSE(ReadProgram(numbers).ok());
}

}  // namespace
}  // namespace pteproof
