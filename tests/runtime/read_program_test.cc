#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "pteproof/read.h"
#include "runtime/file_rules.h"
#include "tests/runtime/reader/refusals.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using std::byte;

std::vector<byte> SmallRealFile() {
  return ReadBytes(fs::path(PTEPROOF_CORPUS_DIR) / "public/add_model.pte");
}

// A Program, or findings that each say something and name a file rule.
void ExpectResult(Bytes file) {
  const auto read = ReadProgram(file);
  if (read.ok()) return;
  ASSERT_FALSE(read.error().empty());
  ASSERT_LE(read.error().size(), static_cast<size_t>(kMaxFileFindings));
  for (const Finding& finding : read.error()) {
    ASSERT_TRUE(finding.rule.starts_with("file-"));
    ASSERT_FALSE(finding.explanation.empty());
    ASSERT_EQ(finding.severity, Severity::kError);
  }
}

// The rules of each `.pte` below a folder that is refused, by file name.
std::vector<std::pair<std::string, std::string_view>> RefusedBelow(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string_view>> refused;
  for (const fs::path& path : FilesBelow(folder)) {
    if (path.extension() != ".pte") continue;
    for (const std::string_view rule : RulesOf(ReadBytes(path)))
      refused.emplace_back(path.filename().string(), rule);
  }
  return refused;
}

TEST(ReadProgram, ReadsTheSmallRealFile) {
  const auto bytes = SmallRealFile();
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().methods.size(), 1U);
  const Method& method = read.value().methods[0];
  EXPECT_EQ(method.name, "forward");
  EXPECT_EQ(method.values.size(), 4U);
  EXPECT_THAT(method.bank_sizes, testing::ElementsAre(0, 32));
  EXPECT_THAT(method.Ints(method.instructions.at(0).args), testing::ElementsAre(1, 0, 3, 2, 2));
  EXPECT_EQ(read.value().constants.at(1).size(), 4U);
}

class ExportedFiles : public testing::TestWithParam<fs::path> {};

TEST_P(ExportedFiles, AreReadButForTheMalformedOne) {
  EXPECT_THAT(RefusedBelow(GetParam()), testing::UnorderedElementsAre(testing::Pair(
                                            "initial-out-of-table.pte", rule::kFileMutableData)));
}

INSTANTIATE_TEST_SUITE_P(Own, ExportedFiles,
                         testing::Values(fs::path(PTEPROOF_CORPUS_DIR) / "real"), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, ExportedFiles,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

class PublishedFiles : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PublishedFiles);

TEST_P(PublishedFiles, AreReadButForTheOneOfAnOlderFormat) {
  EXPECT_THAT(RefusedBelow(GetParam()), testing::UnorderedElementsAre(testing::Pair(
                                            "add_mul.ff.pte", rule::kFileIdentifier)));
}

INSTANTIATE_TEST_SUITE_P(Collection, PublishedFiles,
                         testing::ValuesIn(InCollection("corpus/public")), NameOfFolder);

TEST(ReadProgram, EndsInAResultWhereverTheFileIsCut) {
  const auto whole = SmallRealFile();
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<byte> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_FALSE(ReadProgram(cut).ok()) << size;
    ExpectResult(cut);
  }
}

TEST(ReadProgram, EndsInAResultWhicheverBitIsFlipped) {
  auto bytes = SmallRealFile();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const byte mask = byte{1} << (bit % 8);
    bytes[bit / 8] ^= mask;
    ExpectResult(bytes);
    bytes[bit / 8] ^= mask;
  }
}

TEST(ReadProgram, ReadsAFileAtAnyAddress) {
  const auto bytes = SmallRealFile();
  for (size_t shift = 0; shift < 16; ++shift) {
    std::vector<byte> shifted(bytes.size() + shift);
    std::ranges::copy(bytes, shifted.begin() + static_cast<ptrdiff_t>(shift));
    const Bytes file = Bytes(shifted).subspan(shift);
    const auto read = ReadProgram(file);
    ASSERT_TRUE(read.ok()) << shift;
    const Bytes constant = read.value().constants.at(1);
    EXPECT_GE(constant.data(), file.data()) << "blobs lie in the caller's bytes";
    EXPECT_LE(constant.data() + constant.size(), file.data() + file.size());
  }
}

TEST(ReadProgram, GathersAllReasons) {
  wire::File file = wire::AddFile();
  file.tensor(1).type = 99;
  file.tensor(2).placement->bank = 0;
  file.code().push_back(wire::Move(3, 1));
  EXPECT_THAT(RulesOf(file), testing::ElementsAre(rule::kFileTensorType, rule::kFileTensorMemory,
                                                  rule::kFileMove));
}

TEST(ReadProgram, StopsAfterFiftyReasons) {
  wire::File file = wire::AddFile();
  for (int i = 0; i < 200; ++i) file.code().push_back(wire::Move(3, 1));
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_FALSE(read.ok());
  ASSERT_EQ(read.error().size(), static_cast<size_t>(kMaxFileFindings));
  EXPECT_THAT(read.error().back().explanation, testing::HasSubstr("There are more findings"));
}

}  // namespace
}  // namespace pteproof
