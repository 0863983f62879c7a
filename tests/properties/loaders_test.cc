#include "properties/loaders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

std::string PolicyWord(std::string_view loader) {
  const auto policy = PolicyOfLoader(loader);
  return policy.ok() ? std::string(Name(policy.value())) : policy.error();
}

TEST(Loaders, ChooseThePolicyByVersion) {
  EXPECT_EQ(PolicyWord("_load_for_executorch@0.6.0"), "share-all");
  EXPECT_EQ(PolicyWord("_load_for_executorch@0.7"), "share-all");
  EXPECT_EQ(PolicyWord("_load_for_executorch@1.0.1"), "private");
  EXPECT_EQ(PolicyWord("_load_for_executorch@1.5.1"), "private");
  for (const std::string version : {"0.4.0", "0.7.0", "1.0.0", "1.4.1", "1.5"}) {
    EXPECT_EQ(PolicyWord("executorch.runtime@" + version), "share-all") << version;
    EXPECT_EQ(PolicyWord("Module@" + version), "private") << version;
  }
  EXPECT_EQ(PolicyWord("Module-shared-arenas@1.2.0"), "share-1-2");
}

TEST(Loaders, OfNewerVersionsAreTakenForTheLastKnownWithAWarning) {
  EXPECT_EQ(PolicyWord("Module@1.6"), "private");
  EXPECT_EQ(PolicyWord("executorch.runtime@2.0.1"), "share-all");
  EXPECT_EQ(WarningOfLoader("Module@1.6"),
            "ExecuTorch 1.6 is newer than this pteproof: 'Module@1.6' is taken for Module@1.5.1");
  EXPECT_EQ(WarningOfLoader("Module@1.5.1"), "");
  EXPECT_EQ(WarningOfLoader("Module"), "");
  for (const char* wrong : {"Module@1.x", "Module@9", "Module@1.-6", "Module@99999999999.1"})
    EXPECT_THAT(PolicyWord(wrong), HasSubstr("is not a known version")) << wrong;
}

TEST(Loaders, NeedNoVersionWhereAllHaveOnePolicy) {
  EXPECT_EQ(PolicyWord("executorch.runtime"), "share-all");
  EXPECT_EQ(PolicyWord("Module"), "private");
  EXPECT_EQ(PolicyWord("Module-shared-arenas"), "share-1-2");
  EXPECT_THAT(PolicyWord("_load_for_executorch"),
              HasSubstr("needs a version, such as _load_for_executorch@1.5.1: 0.4 to 0.7 is "
                        "share-all, 1.0 to 1.5 is private"));
}

TEST(Loaders, SayWhatWasProbablyMeant) {
  EXPECT_THAT(PolicyWord("module@1.4.1"), HasSubstr("did you mean 'Module'?"));
  EXPECT_THAT(PolicyWord("executorch.runtme@1.4.1"),
              HasSubstr("did you mean 'executorch.runtime'"));
  EXPECT_THAT(PolicyWord("Module@1.4.2"), HasSubstr("is not a known version of ExecuTorch"));
  EXPECT_THAT(PolicyWord("Module@1.4.2"), HasSubstr("did you mean '1.4."));
  EXPECT_THAT(PolicyWord("Module@"), HasSubstr("'' is not a known version"));
  EXPECT_THAT(PolicyWord(""), HasSubstr("'' is not a loader"));
}

TEST(Loaders, AreRefusedInVersionsThatDoNotHaveThem) {
  EXPECT_THAT(PolicyWord("Module-shared-arenas@1.1.0"),
              HasSubstr("does not exist in 1.1.0: 1.2 to 1.5 is share-1-2"));
}

TEST(Loaders, AreNamedWithVersionsByPolicy) {
  EXPECT_EQ(LoaderNames(Policy::kPrivate),
            "C++ Module's default and _load_for_executorch from 1.0");
  EXPECT_EQ(LoaderNames(Policy::kShare12), "Module with shared arenas from 1.2");
  EXPECT_EQ(LoaderNames(Policy::kShareAll),
            "the Python Runtime and _load_for_executorch up to 0.7");
}

TEST(Loaders, StandInTheTableOfTheirPage) {
  const std::string page = ReadText(PTEPROOF_SOURCE_DIR "/docs/reference/loaders.md");
  for (const LoaderRow& row : LoaderRows()) {
    std::ostringstream cells;
    cells << "| `" << row.name << "` | " << row.first << " | " << row.last << " | `"
          << Name(row.policy) << "` |";
    EXPECT_THAT(page, HasSubstr(cells.str()));
  }
}

}  // namespace
}  // namespace pteproof
