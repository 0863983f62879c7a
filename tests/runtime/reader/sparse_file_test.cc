// Files of 2 GiB and more. They are mapped, and nearly all of their pages are never touched: a
// reader that walked over them would show in the sanitized runs' memory, and never end in these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "runtime/data_rules.h"
#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "tests/runtime/reader/refusals.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using wire::AddFile;
using wire::File;

constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr uint64_t kLargestTables = 2 * kGiB - 2;  // FlatBuffers count in 31 bits

// Zero bytes, of which only those that are written take memory.
class Sparse {
 public:
  explicit Sparse(uint64_t size) : size_(size) {
    memory_ = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(memory_, MAP_FAILED);
  }
  ~Sparse() { munmap(memory_, size_); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  void Put(uint64_t at, Bytes bytes) { std::memcpy(data() + at, bytes.data(), bytes.size()); }
  void PutNumber(uint64_t at, uint64_t number) { std::memcpy(data() + at, &number, sizeof number); }
  [[nodiscard]] Bytes bytes() const { return {data(), size_}; }

 private:
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_); }

  void* memory_;
  uint64_t size_;
};

// The sound small program, its 12 bytes of constants from `base` on.
void PutProgram(Sparse& file, uint64_t base) {
  const auto small = wire::Build(AddFile());
  file.Put(0, Bytes(small).first(small.size() - 12));
  file.Put(base, Bytes(small).last(12));
  file.PutNumber(24, base);
}

TEST(SparseFile, HasItsConstantsWhereverTheHeaderPlacesThem) {
  for (const uint64_t base : {2 * kGiB - 16, 2 * kGiB, 4 * kGiB - 8, 4 * kGiB, 5 * kGiB + 4}) {
    SCOPED_TRACE(base);
    Sparse file(base + 12);
    PutProgram(file, base);
    const auto read = ReadProgram(file.bytes());
    ASSERT_TRUE(read.ok()) << read.error().front().explanation;
    const Bytes constant = read.value().constants.at(1);
    EXPECT_EQ(constant.data() - file.bytes().data(), static_cast<int64_t>(base));
    EXPECT_EQ(constant.size(), 12U);
    EXPECT_EQ(constant[11], std::byte{0x3f});
  }
}

TEST(SparseFile, IsRefusedWhereItsSegmentsReachPastItsEnd) {
  for (const uint64_t base : {2 * kGiB, 4 * kGiB}) {
    Sparse file(base + 12);
    PutProgram(file, base);
    file.PutNumber(24, base + 4);
    EXPECT_THAT(RulesOf(file.bytes()), RefusedBy(rule::kFileHeader)) << base;
  }
}

// Segments are placed with 64 bits: one that lies 4 GiB into the area is not the one at its start.
TEST(SparseFile, HasSegmentsBeyondFourGigabytesOfTheArea) {
  File small = AddFile();
  small.segments = {wire::Segment{4 * kGiB, 12}};
  const auto bytes = wire::Build(small);
  uint64_t base = 0;
  std::memcpy(&base, bytes.data() + 24, sizeof base);
  Sparse file(base + 4 * kGiB + 12);
  file.Put(0, bytes);
  file.PutNumber(32, 4 * kGiB + 12);
  const auto read = ReadProgram(file.bytes());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().constants.at(1).data(), file.bytes().data() + base + 4 * kGiB);
  EXPECT_THAT(RulesOf(file.bytes().first(base + 4 * kGiB)), RefusedBy(rule::kFileHeader));
}

// Without a header the whole file is the flatbuffer.
TEST(SparseFile, IsReadUpToWhatAFlatbufferHolds) {
  File plain = AddFile();
  plain.data.clear();
  plain.segments = {};
  plain.constants = wire::Offsets{0, std::vector<uint64_t>{0}};
  plain.value(0) = wire::Planned({3}, 32);
  plain.method().inputs->push_back(0);
  const auto bytes = wire::Build(plain);
  Sparse file(kLargestTables + 1);
  file.Put(0, bytes);
  EXPECT_THAT(RulesOf(file.bytes().first(kLargestTables)), Accepted());
  EXPECT_THAT(RulesOf(file.bytes()), RefusedBy(rule::kFileSize));
}

TEST(SparseFile, IsRefusedWhereItsTablesAreLargerThanOffsetsReach) {
  for (const uint64_t tables : {kLargestTables + 1, 4 * kGiB, 4 * kGiB + 4096}) {
    Sparse file(tables + 4096);
    PutProgram(file, tables);
    file.PutNumber(16, tables);
    EXPECT_THAT(RulesOf(file.bytes()), RefusedBy(rule::kFileSize)) << tables;
  }
}

// The header's numbers of a .ptd: flatbuffer's offset and size, segment area's offset and size.
TEST(SparseFile, OfDataHasItsSegmentsBeyondFourGigabytes) {
  const auto small = ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) /
                               "real/models/external_some/external_some.ptd");
  uint64_t base = 0;
  std::memcpy(&base, small.data() + 32, sizeof base);
  const Bytes area = Bytes(small).subspan(base);
  const uint64_t far = 4 * kGiB + 16;
  Sparse file(far + area.size());
  file.Put(0, Bytes(small).first(base));
  file.Put(far, area);
  file.PutNumber(32, far);
  const auto near_read = ReadDataFile(small);
  const auto far_read = ReadDataFile(file.bytes());
  ASSERT_TRUE(near_read.ok() && far_read.ok());
  ASSERT_EQ(far_read.value().entries.size(), near_read.value().entries.size());
  for (size_t i = 0; i < far_read.value().entries.size(); ++i) {
    EXPECT_TRUE(
        std::ranges::equal(far_read.value().entries[i].blob, near_read.value().entries[i].blob));
  }
}

TEST(SparseFile, OfDataOrABundleIsRefusedWhereItsTablesAreTooLarge) {
  const auto corpus = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real/models";
  const auto data = ReadBytes(corpus / "external_some/external_some.ptd");
  Sparse large(4 * kGiB);
  large.Put(0, data);
  large.PutNumber(24, 3 * kGiB);
  large.PutNumber(32, 3 * kGiB + 4096);
  const auto read = ReadDataFile(large.bytes());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().front().rule, rule::kDataFlatbuffer);

  Sparse bundle(3 * kGiB);
  bundle.Put(0, ReadBytes(corpus / "bundled/bundled.bpte"));
  const auto read_bundle = ReadBundle(bundle.bytes());
  ASSERT_FALSE(read_bundle.ok());
  EXPECT_EQ(read_bundle.error().front().rule, rule::kBundleFlatbuffer);
}

}  // namespace
}  // namespace pteproof
