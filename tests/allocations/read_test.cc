// Reading files while memory runs out: every allocation fails once.
#include "pteproof/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "runtime/same_program.h"
#include "tests/allocations/failing_new.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

fs::path ModelFile(const std::string& file) {
  return OwnRealRoot() / "models" / fs::path(file).stem() / file;
}

std::vector<std::string> ExplanationsOf(const std::vector<Finding>& findings) {
  std::vector<std::string> explanations;
  for (const Finding& finding : findings) explanations.push_back(finding.explanation);
  return explanations;
}

// Calls `read` with its first allocation failing, then its second, until it makes fewer. Each time
// it says that memory ran out, or gives what it gives otherwise.
template <class Read, class Same>
void FailEachAllocation(const Read& read, const Same& same) {
  const auto whole = read();
  for (const Fails which : {Fails::kOne, Fails::kAllFrom}) {
    bool reached = true;
    int64_t refused = 0;
    for (int64_t n = 1; reached; ++n) {
      const auto got = WithFailure(which, n, reached, read);
      const bool without_memory = !got.ok() && RanOutOfMemory(got.error());
      refused += without_memory ? 1 : 0;
      ASSERT_FALSE(without_memory && !reached);
      if (without_memory) continue;
      ASSERT_EQ(got.ok(), whole.ok()) << n;
      if (got.ok()) ASSERT_TRUE(same(got.value(), whole.value())) << n;
      if (!got.ok()) ASSERT_EQ(ExplanationsOf(got.error()), ExplanationsOf(whole.error())) << n;
    }
    EXPECT_GT(refused, 0);
  }
}

TEST(AllocationReadTest, AProgramIsReadWholeOrMemoryRanOut) {
  for (const char* file : {"counter_initialized.pte", "cond_state.pte", "quantized_mlp.pte",
                           "mapping.pte", "xnnpack_state.pte"}) {
    SCOPED_TRACE(file);
    const auto bytes = ReadBytes(ModelFile(file));
    ASSERT_TRUE(ReadProgram(bytes).ok());
    FailEachAllocation([&] { return ReadProgram(bytes); }, SameProgram);
  }
}

// Its tables must be copied to where they are aligned.
TEST(AllocationReadTest, SoIsOneAtAnOddAddress) {
  auto bytes = ReadBytes(ModelFile("counter_initialized.pte"));
  bytes.insert(bytes.begin(), std::byte{0});
  const Bytes odd = Bytes(bytes).subspan(1);
  FailEachAllocation([&] { return ReadProgram(odd); }, SameProgram);
}

TEST(AllocationReadTest, AMalformedFileIsRefusedForItsFindingsOrMemoryRanOut) {
  int files = 0;
  for (const fs::path& path : FilesBelow(fs::path(PTEPROOF_CORPUS_DIR) / "crafted")) {
    if (path.extension() != ".pte") continue;
    const auto bytes = ReadBytes(path);
    const auto program = ReadProgram(bytes);
    if (program.ok()) continue;
    ASSERT_FALSE(RanOutOfMemory(program.error())) << path;
    SCOPED_TRACE(path);
    ++files;
    FailEachAllocation([&] { return ReadProgram(bytes); }, SameProgram);
  }
  EXPECT_GT(files, 50);
}

TEST(AllocationReadTest, DataAndBundlesAreReadWholeOrMemoryRanOut) {
  const auto data = ReadBytes(ModelFile("external_weights.ptd"));
  FailEachAllocation([&] { return ReadDataFile(data); },
                     [](const DataFile& a, const DataFile& b) {
                       return std::ranges::equal(a.entries, b.entries, {}, &DataEntry::key,
                                                 &DataEntry::key);
                     });
  const auto bundle = ReadBytes(ModelFile("bundled.bpte"));
  FailEachAllocation([&] { return ReadBundle(bundle); },
                     [](const Bundle& a, const Bundle& b) {
                       return std::ranges::equal(a.suites, b.suites, {}, &BundleSuite::method,
                                                 &BundleSuite::method);
                     });
}

}  // namespace
}  // namespace pteproof
