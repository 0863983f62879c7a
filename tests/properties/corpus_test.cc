// Real files that ExecuTorch's exporter wrote get the verdicts that their recorded runs, or their
// makers, call for.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "properties/report.h"
#include "tests/support/expected_verdicts.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct Collection {
  std::string name;
  fs::path root;
  size_t at_least;  // `.pte` files
};

void PrintTo(const Collection& collection, std::ostream* out) {
  *out << collection.name;
}

std::vector<Collection> Collections() {
  std::vector<Collection> collections = {{"own", OwnRealRoot(), 200}};
  if (const auto shared = SharedExportedRoot()) collections.push_back({"shared", *shared, 542});
  return collections;
}

class Corpus : public testing::TestWithParam<Collection> {
 protected:
  void SetUp() override {
    expectations_ = ReadExpectations(GetParam().root);
    files_ = ReadAllReal(GetParam().root);
  }

  const ExpectedFile* ExpectedOf(const RealFile& file) const {
    const auto at = expectations_.find(file.name);
    return at == expectations_.end() ? nullptr : &at->second;
  }

  bool IsMalformed(const RealFile& file) const {
    const ExpectedFile* expected = ExpectedOf(file);
    return expected != nullptr && expected->malformed;
  }

  void ExpectAgreement(bool with_manifest) const {
    for (const auto& file : files_) {
      if (!file->program.has_value()) continue;
      const Report report = CheckReal(*file, with_manifest);
      const auto said = Disagreements(ExpectedOf(*file), report, with_manifest);
      EXPECT_TRUE(said.empty()) << file->name << (with_manifest ? " with its manifest: " : ": ")
                                << fmt::format("{}", fmt::join(said, "; "))
                                << Brief(report.findings);
    }
  }

  Expectations expectations_;
  std::vector<std::unique_ptr<const RealFile>> files_;
};

TEST_P(Corpus, HoldsEveryFileThatIsExpected) {
  EXPECT_GE(files_.size(), GetParam().at_least);
  for (const auto& [name, ignored] : expectations_) {
    EXPECT_TRUE(std::ranges::any_of(files_, [&](const auto& f) { return f->name == name; }))
        << name;
  }
}

TEST_P(Corpus, IsRefusedOnlyWhereItIsMalformed) {
  for (const auto& file : files_) {
    EXPECT_EQ(file->program.has_value(), !IsMalformed(*file))
        << file->name << Brief(file->refusals);
  }
}

TEST_P(Corpus, HasAManifestForEveryModelAndBug) {
  for (const auto& file : files_) {
    if (file->name.starts_with("ops/")) continue;
    EXPECT_TRUE(file->manifest.has_value()) << file->name;
  }
}

TEST_P(Corpus, GetsTheExpectedVerdictsAlone) {
  ExpectAgreement(false);
}

TEST_P(Corpus, GetsTheExpectedVerdictsWithTheManifests) {
  ExpectAgreement(true);
}

TEST_P(Corpus, ReportsEachMistakeWhereItsStoryTells) {
  const auto stories = ReadStories(GetParam().root);
  int compared = 0;
  for (const auto& file : files_) {
    const auto story = stories.find(fs::path(file->name).stem().string());
    const ExpectedFile* expected = ExpectedOf(*file);
    if (story == stories.end() || expected == nullptr || !file->program.has_value()) continue;
    const Report alone = CheckReal(*file, false);
    const Report with_manifest = CheckReal(*file, true);
    for (const RuleChoice& choice : expected->rules) {
      EXPECT_TRUE(StoryNames(story->second, choice, alone))
          << file->name << ": " << story->second << Brief(alone.findings);
      ++compared;
    }
    for (const RuleChoice& choice : expected->rules_with_manifest) {
      EXPECT_TRUE(StoryNames(story->second, choice, with_manifest))
          << file->name << ": " << story->second << Brief(with_manifest.findings);
      ++compared;
    }
  }
  EXPECT_GE(compared, 50);
}

TEST_P(Corpus, TellsTheSameOfABundleAsOfTheProgramInside) {
  const auto bundles = ReadAllReal(GetParam().root, ".bpte");
  EXPECT_FALSE(bundles.empty());
  for (const auto& bundle : bundles) {
    ASSERT_TRUE(bundle->program.has_value()) << bundle->name << Brief(bundle->refusals);
    const std::string inside = fs::path(bundle->name).replace_extension(".pte").generic_string();
    const auto plain =
        std::ranges::find_if(files_, [&](const auto& f) { return f->name == inside; });
    ASSERT_NE(plain, files_.end()) << inside;
    EXPECT_EQ(CheckReal(*bundle, false).verdicts, CheckReal(**plain, false).verdicts)
        << bundle->name;
  }
}

INSTANTIATE_TEST_SUITE_P(Real, Corpus, testing::ValuesIn(Collections()),
                         [](const auto& info) { return info.param.name; });

void ExpectNoError(const RealFile& file) {
  ASSERT_TRUE(file.program.has_value()) << file.name << Brief(file.refusals);
  const Report report = CheckReal(file, false);
  EXPECT_TRUE(std::ranges::none_of(report.findings,
                                   [](const Finding& f) { return f.severity == Severity::kError; }))
      << file.name << Brief(report.findings);
}

// Sound files that others published. One of them is of an older format.
void ExpectPublicFilesAreSound(const fs::path& root) {
  for (const char* extension : {".pte", ".bpte"}) {
    for (const auto& file : ReadAllReal(root, extension)) {
      if (fs::path(file->name).filename() == "add_mul.ff.pte") {
        EXPECT_FALSE(file->program.has_value());
        ASSERT_EQ(file->refusals.size(), 1U) << Brief(file->refusals);
        EXPECT_EQ(file->refusals.front().rule, "file-identifier");
      } else {
        ExpectNoError(*file);
      }
    }
  }
}

TEST(PublicFiles, HaveNoError) {
  ExpectPublicFilesAreSound(fs::path(PTEPROOF_CORPUS_DIR) / "public");
  if (const auto shared = SharedPublicRoot()) ExpectPublicFilesAreSound(*shared);
}

}  // namespace
}  // namespace pteproof
