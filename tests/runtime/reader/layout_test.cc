#include <cstring>

#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using std::byte;

constexpr size_t kMagicAt = 8;

template <class T>
std::vector<byte> AddWith(size_t at, T number) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  std::memcpy(bytes.data() + at, &number, sizeof number);
  return bytes;
}

std::vector<byte> AddWithIdentifier(const char* identifier) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  std::memcpy(bytes.data() + 4, identifier, 4);
  return bytes;
}

wire::File WithoutSegments() {
  wire::File file = wire::AddFile();
  file.value(0) = wire::Planned({3}, 32);
  file.data.clear();
  file.segments = {wire::Segment{0, 0}};
  file.constants->offsets = {0};
  return file;
}

TEST(Layout, AcceptsTheSoundFile) {
  EXPECT_THAT(RulesOf(wire::AddFile()), Accepted());
}

TEST(Layout, RefusesOtherIdentifiers) {
  for (const char* identifier : {"ET13", "ET11", "BP08", "FT01", "\0\0\0\0"}) {
    EXPECT_THAT(RulesOf(AddWithIdentifier(identifier)), RefusedBy(rule::kFileIdentifier))
        << identifier;
  }
}

TEST(Layout, SaysWhatAnotherContainerIs) {
  const std::pair<const char*, const char*> containers[] = {
      {"BP08", "bundled program"},
      {"FT01", "data file (.ptd) and has no program"},
      {"ET13", "another, incompatible format version"},
      {"PK34", "not an ExecuTorch program"},
  };
  for (const auto& [identifier, words] : containers) {
    const auto read = ReadProgram(AddWithIdentifier(identifier));
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().front().explanation, testing::HasSubstr(words)) << identifier;
  }
}

TEST(Layout, RefusesAFileWithoutTheFirst64Bytes) {
  std::vector<byte> bytes = wire::Build(WithoutSegments());
  bytes.resize(63);
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileTooShort));
  EXPECT_THAT(RulesOf(Bytes{}), RefusedBy(rule::kFileTooShort));
}

TEST(Layout, AcceptsHeadersOfAllLengthsFrom24) {
  for (const uint32_t length : {24U, 31U, 32U, 40U, 100U}) {
    EXPECT_THAT(RulesOf(AddWith<uint32_t>(kLengthAt, length)), Accepted()) << length;
  }
}

TEST(Layout, RefusesAHeaderThatIsTooShortOrLongerThanTheProgram) {
  EXPECT_THAT(RulesOf(AddWith<uint32_t>(kLengthAt, 16)), RefusedBy(rule::kFileHeader));
  EXPECT_THAT(RulesOf(AddWith<uint32_t>(kLengthAt, 23)), RefusedBy(rule::kFileHeader));
  EXPECT_THAT(RulesOf(AddWith<uint32_t>(kLengthAt, 0xFFFFFFFF)), RefusedBy(rule::kFileHeader));
}

TEST(Layout, RefusesAProgramLargerThanTheFile) {
  EXPECT_THAT(RulesOf(AddWith<uint64_t>(kProgramSizeAt, 1 << 20)), RefusedBy(rule::kFileHeader));
}

TEST(Layout, RefusesAProgramSizeThatCutsTheTables) {
  EXPECT_THAT(RulesOf(AddWith<uint64_t>(kProgramSizeAt, 128)), testing::Not(Accepted()));
}

TEST(Layout, RefusesASegmentAreaThatWrapsOrPassesTheEnd) {
  EXPECT_THAT(RulesOf(AddWith<uint64_t>(kBaseAt, UINT64_MAX)), RefusedBy(rule::kFileHeader));
  EXPECT_THAT(RulesOf(AddWith<uint64_t>(kDataSizeAt, UINT64_MAX)), RefusedBy(rule::kFileHeader));
  EXPECT_THAT(RulesOf(AddWith<uint64_t>(kDataSizeAt, 13)), RefusedBy(rule::kFileHeader));
}

TEST(Layout, RefusesAFileCutInsideItsSegments) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  bytes.pop_back();
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileHeader));
}

TEST(Layout, AcceptsBytesAfterTheLastSegment) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  bytes.resize(bytes.size() + 100);
  EXPECT_THAT(RulesOf(bytes), Accepted());
}

TEST(Layout, RefusesSegmentsWithoutAHeader) {
  const auto bytes = AddWith<uint8_t>(kMagicAt, 'x');
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileHeader));
  EXPECT_EQ(ReadProgram(bytes).error().front().bytes, (ByteRange{8, 12}));
}

// A root table right behind the identifier, whose fields stand behind it: none.
TEST(Layout, LooksForTheRootTableFromByte8On) {
  std::vector<byte> bytes(64);
  const uint32_t root = 8;
  const int32_t back = -4;
  const uint16_t fields[] = {4, 4};
  std::memcpy(bytes.data(), &root, sizeof root);
  std::memcpy(bytes.data() + 4, "ET12", 4);
  std::memcpy(bytes.data() + 8, &back, sizeof back);
  std::memcpy(bytes.data() + 12, fields, sizeof fields);
  EXPECT_THAT(RulesOf(bytes), testing::Not(testing::Contains(rule::kFileRoot)));
  EXPECT_THAT(RulesOf(bytes), testing::Not(testing::Contains(rule::kFileTooShort)));
}

// Each number of the header may be as large as the file allows, and not one larger.
TEST(Layout, TakesNumbersUpToTheirLimits) {
  const auto none_of_header = testing::Not(testing::Contains(rule::kFileHeader));
  const uint64_t size = wire::Build(wire::AddFile()).size();
  for (const uint64_t more : {0U, 1U}) {
    std::vector<byte> based = AddWith<uint64_t>(kBaseAt, size + more);
    std::memset(based.data() + kDataSizeAt, 0, 8);
    EXPECT_EQ(testing::Matches(none_of_header)(RulesOf(based)), more == 0) << "base";
    const auto sized = AddWith<uint64_t>(kProgramSizeAt, size + more);
    EXPECT_EQ(testing::Matches(none_of_header)(RulesOf(sized)), more == 0) << "program size";
    std::vector<byte> rooted = AddWith<uint64_t>(kProgramSizeAt, size);
    const auto root = static_cast<uint32_t>(size - 4 + more);
    std::memcpy(rooted.data(), &root, sizeof root);
    EXPECT_EQ(RulesOf(rooted) == std::vector{rule::kFileRoot}, more == 1) << "root";
    const auto room = static_cast<uint32_t>(size - 8 + more);
    std::vector<byte> headed = AddWith<uint32_t>(kLengthAt, room);
    std::memcpy(headed.data() + kProgramSizeAt, &size, sizeof size);
    EXPECT_EQ(testing::Matches(none_of_header)(RulesOf(headed)), more == 0) << "header length";
  }
}

// A header of the old length ends at byte 32; before its end stands no table.
TEST(Layout, LooksForAHeaderWhereTheRootTableLeavesRoomForOne) {
  const std::pair<uint32_t, bool> roots[] = {{7, true}, {8, false}, {31, false}, {32, true}};
  for (const auto& [root, has_header] : roots) {
    std::vector<byte> bytes = AddWith<uint32_t>(0, root);
    std::memset(bytes.data() + kLengthAt, 0, 4);  // wrong, if it is one
    EXPECT_EQ(RulesOf(bytes) == std::vector{rule::kFileHeader}, has_header) << root;
  }
}

TEST(Layout, AcceptsAFileWithoutConstantsAndHeader) {
  EXPECT_THAT(RulesOf(WithoutSegments()), Accepted());
}

TEST(Layout, RefusesARootTableOutsideTheProgram) {
  for (const uint32_t root : {0U, 4U, 0xFFFFFFFFU}) {
    EXPECT_THAT(RulesOf(AddWith<uint32_t>(0, root)), RefusedBy(rule::kFileRoot)) << root;
  }
  std::vector<byte> bytes = wire::Build(WithoutSegments());
  const auto root = static_cast<uint32_t>(bytes.size() - 2);
  std::memcpy(bytes.data(), &root, sizeof root);
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileRoot));
}

// A file whose first table begins as close to the start as it can, after four bytes of padding.
std::vector<byte> WithPaddingAtTheHeadersPlace() {
  wire::File file = WithoutSegments();
  file.segments.reset();
  file.constants->segment_index = 1;  // four bytes more, of a table that has no entries to look for
  return wire::Build(file);
}

// Where the root table begins inside the bytes a header would take, there is none.
TEST(Layout, TakesAPatchedMagicInPaddingForPadding) {
  std::vector<byte> bytes = WithPaddingAtTheHeadersPlace();
  ASSERT_LT(bytes[0], byte{32}) << "the builder lays tables out differently";
  for (size_t i = 0; i < 4; ++i) ASSERT_EQ(bytes[kMagicAt + i], byte{0});
  std::memcpy(bytes.data() + kMagicAt, "eh00", 4);
  EXPECT_THAT(RulesOf(bytes), Accepted());
}

}  // namespace
}  // namespace pteproof
