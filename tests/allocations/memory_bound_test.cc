// What reading takes at most: 16 times the file and a megabyte, as the readers promise.
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/read_bundle.h"
#include "runtime/read_data.h"
#include "tests/allocations/failing_new.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"
#include "tests/support/large_programs.h"

namespace pteproof {
namespace {

int64_t Promised(Bytes file) {
  return 16 * static_cast<int64_t>(file.size()) + (1 << 20);
}

// What comes out is in use at the peak, too.
template <class Read>
void ExpectWithinBound(Bytes file, const Read& read) {
  EXPECT_LE(PeakBytesOf([&] { static_cast<void>(read(file)); }), Promised(file));
}

constexpr auto kReadProgram = [](Bytes file) { return ReadProgram(file); };

void ExpectWithinBound(const Program& program) {
  const auto file = WriteProgram(program);
  ASSERT_TRUE(file.ok());
  ExpectWithinBound(file.value(), kReadProgram);
}

// The tables are copied to where they are aligned.
void ExpectWithinBoundAtAnOddAddress(const Program& program) {
  auto file = WriteProgram(program).value();
  file.insert(file.begin(), std::byte{0});
  ExpectWithinBound(Bytes(file).subspan(1), kReadProgram);
}

TEST(MemoryBoundTest, HoldsForEveryFileOfTheCorpus) {
  int files = 0;
  for (const char* folder : {"real", "crafted", "seeds", "regressions", "public"}) {
    for (const auto& path : FilesBelow(std::filesystem::path(PTEPROOF_CORPUS_DIR) / folder)) {
      SCOPED_TRACE(path);
      const std::vector<std::byte> bytes = ReadBytes(path);
      ExpectWithinBound(bytes, kReadProgram);
      ExpectWithinBound(bytes, ReadDataFile);
      ExpectWithinBound(bytes, ReadBundle);
      ++files;
    }
  }
  EXPECT_GT(files, 300);
}

TEST(MemoryBoundTest, HoldsForProgramsWithAGreatManyOfOneThing) {
  const int32_t kMany = IsCampaign() ? 200'000 : 20'000;
  for (const Method& method :
       {ManyValues(kMany), LongChain(kMany), HugeLists(kMany), SharedList(5000, 5000),
        ForwardJumps(kMany), NestedLoops(kMany), ManyMoves(kMany / 10)}) {
    ExpectWithinBound(ProgramOf({method}));
    ExpectWithinBoundAtAnOddAddress(ProgramOf({method}));
  }
  ExpectWithinBound(ManyMethods(kMany / 20, 3));
}

TEST(MemoryBoundTest, CountsWhatIsInUseAtOneTime) {
  const auto twice = [](size_t bytes) {
    return [bytes] {
      for (int i = 0; i < 2; ++i) std::vector<char>(bytes).front() = 1;
    };
  };
  EXPECT_GE(PeakBytesOf(twice(100'000)), 100'000);
  EXPECT_LT(PeakBytesOf(twice(100'000)), 150'000);
}

}  // namespace
}  // namespace pteproof
