// Replays the stored corpora through the fuzz targets: a find that was fixed stays fixed.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = PTEPROOF_CORPUS_DIR;

// Returns how many files were tried. Each name is printed first: a crash says whose it is.
size_t Replay(const Target& target, const fs::path& folder) {
  size_t count = 0;
  for (const fs::path& file : FilesBelow(folder)) {
    std::printf("%s %s\n", target.name.data(), file.lexically_relative(kCorpus).c_str());
    std::fflush(stdout);
    static_cast<void>(target.run(ReadBytes(file)));
    ++count;
  }
  return count;
}

class ReplayTest : public testing::TestWithParam<Target> {};

TEST_P(ReplayTest, SeedsKeepEveryPromise) {
  EXPECT_GE(Replay(GetParam(), kCorpus / "seeds" / GetParam().kind), 5U);
}

TEST_P(ReplayTest, RegressionsStayFixed) {
  const fs::path folder = kCorpus / "regressions" / GetParam().kind;
  if (fs::exists(folder)) EXPECT_GE(Replay(GetParam(), folder), 1U);
}

TEST_P(ReplayTest, NothingAtAllKeepsEveryPromise) {
  EXPECT_NO_FATAL_FAILURE(static_cast<void>(GetParam().run({})));
}

INSTANTIATE_TEST_SUITE_P(Targets, ReplayTest,
                         testing::ValuesIn(AllTargets().begin(), AllTargets().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Replay, CraftedFilesKeepEveryPromise) {
  for (const char* name : {"fuzz_read", "fuzz_check", "fuzz_run", "fuzz_agree", "fuzz_data"}) {
    EXPECT_GE(Replay(*TargetNamed(name), kCorpus / "crafted"), 100U);
  }
}

TEST(Replay, ModulesAndManifestsKeepEveryPromise) {
  EXPECT_GE(Replay(*TargetNamed("fuzz_text"), kCorpus / "modules"), 30U);
  EXPECT_GE(Replay(*TargetNamed("fuzz_data"), kCorpus / "manifests"), 5U);
}

class InputsThatEndOtherLoaders : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(InputsThatEndOtherLoaders);

TEST_P(InputsThatEndOtherLoaders, EndInAVerdictHere) {
  for (const Target& target : AllTargets()) {
    if (target.kind == "program") EXPECT_GE(Replay(target, GetParam()), 20U);
  }
}

INSTANTIATE_TEST_SUITE_P(Collection, InputsThatEndOtherLoaders,
                         testing::ValuesIn(InCollection("corpus/peer-crashes")), NameOfFolder);

// Scripts and builds take them from there.
TEST(Replay, TheListOfTargetsIsTheirs) {
  std::string listed;
  for (const Target& target : AllTargets()) {
    listed += std::string(target.name) + " " + std::string(target.kind) + "\n";
  }
#ifndef PTEPROOF_FUZZ_CALL  // where the shared library is not built
  listed += "fuzz_call call\n";
#endif
  EXPECT_EQ(ReadText(fs::path(PTEPROOF_SOURCE_DIR) / "fuzz" / "targets.txt"), listed);
}

TEST(Replay, TheIndexNamesEveryRegression) {
  std::set<std::string> listed;
  std::istringstream index(ReadText(kCorpus / "regressions" / "INDEX.tsv"));
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) listed.insert(line.substr(0, line.find('\t')));
  std::set<std::string> present;
  for (const fs::path& file : FilesBelow(kCorpus / "regressions")) {
    const fs::path name = file.lexically_relative(kCorpus / "regressions");
    if (name.has_parent_path()) present.insert(name.generic_string());
  }
  EXPECT_EQ(present, listed);
}

}  // namespace
}  // namespace pteproof::fuzz
