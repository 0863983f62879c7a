// Damage of every kind at every place must end in a result: a value, or findings. The sanitizers'
// builds give these tests their teeth.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "pteproof/read.h"
#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

const std::filesystem::path kCorpus = PTEPROOF_CORPUS_DIR;

// Each read is of a copy in a block of its own, so that a read past the end is seen.
template <class Read>
void CutEverywhere(const std::filesystem::path& file, Read read) {
  const std::vector<std::byte> whole = ReadBytes(file);
  ASSERT_TRUE(read(Bytes(whole)).ok()) << file;
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length));
    const auto result = read(Bytes(cut));
    ASSERT_TRUE(result.ok() || !result.error().empty()) << file << " cut to " << length;
  }
}

template <class Read>
void FlipEveryBit(const std::filesystem::path& file, Read read) {
  std::vector<std::byte> bytes = ReadBytes(file);
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
    bytes[bit / 8] ^= mask;
    const auto result = read(Bytes(bytes));
    ASSERT_TRUE(result.ok() || !result.error().empty()) << file << " bit " << bit;
    bytes[bit / 8] ^= mask;
  }
}

constexpr auto kReadProgram = [](Bytes file) { return ReadProgram(file); };

TEST(DamagedFiles, RealProgramsCutAnywhereEndInAResult) {
  CutEverywhere(kCorpus / "public/add_model.pte", kReadProgram);
  CutEverywhere(kCorpus / "real/bugs/cond-state/cond-state.pte", kReadProgram);
  CutEverywhere(kCorpus / "real/bugs/initial-wrong-table-ok/initial-wrong-table-ok.pte",
                kReadProgram);
}

TEST(DamagedFiles, RealDataFileCutAnywhereEndsInAResult) {
  CutEverywhere(kCorpus / "real/models/external_some/external_some.ptd", ReadDataFile);
}

TEST(DamagedFiles, RealBundleCutAnywhereEndsInAResult) {
  CutEverywhere(kCorpus / "real/models/bundled/bundled.bpte", ReadBundle);
}

TEST(DamagedFiles, RealProgramWithAnyBitFlippedEndsInAResult) {
  FlipEveryBit(kCorpus / "public/add_model.pte", kReadProgram);
}

TEST(DamagedFiles, RealDataFileWithAnyBitFlippedEndsInAResult) {
  FlipEveryBit(kCorpus / "real/models/external_some/external_some.ptd", ReadDataFile);
}

TEST(DamagedFiles, BundleWithAnyBitFlippedEndsInAResult) {
  FlipEveryBit(kCorpus / "crafted/base.bpte", ReadBundle);
}

// The header names the file's end, so that a cut never goes unseen.
TEST(DamagedFiles, CutProgramsAndDataFilesAreRefused) {
  const std::vector<std::byte> program = ReadBytes(kCorpus / "crafted/base.pte");
  for (size_t n = 0; n < program.size(); ++n)
    EXPECT_FALSE(ReadProgram(Bytes(program).first(n)).ok());
  const std::vector<std::byte> data = ReadBytes(kCorpus / "crafted/base.ptd");
  for (size_t n = 0; n < data.size(); ++n) EXPECT_FALSE(ReadDataFile(Bytes(data).first(n)).ok());
}

// A caller may hand over bytes at any address.
TEST(DamagedFiles, SoundFilesAreReadAtEveryAddress) {
  for (const char* name : {"crafted/base.pte", "crafted/base.ptd", "crafted/base.bpte"}) {
    const std::vector<std::byte> bytes = ReadBytes(kCorpus / name);
    for (size_t shift = 0; shift < 16; ++shift) {
      std::vector<std::byte> moved(shift);
      moved.insert(moved.end(), bytes.begin(), bytes.end());
      const Bytes file = Bytes(moved).subspan(shift);
      const bool ok = ReadProgram(file).ok() || ReadDataFile(file).ok() || ReadBundle(file).ok();
      EXPECT_TRUE(ok) << name << " at an address of " << shift << " modulo 16";
    }
  }
}

}  // namespace
}  // namespace pteproof::crafted
