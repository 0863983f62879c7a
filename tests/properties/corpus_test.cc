// Real files that ExecuTorch's exporter wrote get the verdicts that their recorded runs, or their
// makers, call for.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/group_findings.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/verdict.h"
#include "pteproof/report.h"
#include "pteproof/rules.h"
#include "tests/support/collection.h"
#include "tests/support/expected_verdicts.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

// Whether ExecuTorch's words on a recorded call, if it names a kernel's check, speak of orders.
bool IsRefusalOfOrders(const RecordedCall& call) {
  const std::string& error = call.executorch_error;
  if (error.starts_with("not called")) return true;
  constexpr std::string_view kInvalidArgument = "rror 0x12";
  constexpr std::string_view kWords[] = {"dim order", "dim_order", "memory_format"};
  const bool speaks = std::ranges::any_of(
      kWords, [&](std::string_view word) { return error.find(word) != std::string::npos; });
  const bool names_check = error.find('|') != std::string::npos;
  return names_check ? speaks && error.find(kInvalidArgument) != std::string::npos
                     : error.ends_with("error: 0x12");
}

// The methods of which ExecuTorch refused each recorded call for its dim orders.
std::set<std::string> RefusedMethods(const fs::path& file) {
  const auto recording = ReadRecording(file.parent_path() / "calls.json");
  if (!recording.ok()) return {};
  std::set<std::string> refused;
  std::set<std::string> others;
  for (const RecordedSequence& sequence : recording.value().sequences) {
    for (const RecordedCall& call : sequence.calls) {
      const bool is_refusal = !call.executorch.has_value() && IsRefusalOfOrders(call);
      (is_refusal ? refused : others).insert(call.method);
    }
  }
  std::erase_if(refused, [&](const std::string& method) { return others.contains(method); });
  return refused;
}

class Corpus : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    expectations_ = ReadExpectations(GetParam());
    explanations_ = ReadExplanations(GetParam());
    files_ = ReadAllReal(GetParam());
  }

  const ExpectedFile* ExpectedOf(const RealFile& file) const {
    const auto at = expectations_.find(file.name);
    return at == expectations_.end() ? nullptr : &at->second;
  }

  bool IsMalformed(const RealFile& file) const {
    const ExpectedFile* expected = ExpectedOf(file);
    return expected != nullptr && expected->malformed;
  }

  // A kernel that refuses dim orders does so in the recorded run; EXPECTED.json speaks of plans.
  void LeaveOutRefusals(const RealFile& file, Report& report) const {
    const auto is_refusal = [](const Finding& f) {
      return f.rule == rule::kDimOrderMismatch && f.severity == Severity::kError;
    };
    if (std::ranges::none_of(report.findings, is_refusal)) return;
    const std::set<std::string> refused = RefusedMethods(GetParam() / file.name);
    std::erase_if(report.findings,
                  [&](const Finding& f) { return is_refusal(f) && refused.contains(f.method); });
    report.verdicts = VerdictsOf(report.findings);
  }

  void ExpectAgreement(bool with_manifest) const {
    for (const auto& file : files_) {
      if (!file->program.has_value()) continue;
      Report report = CheckReal(*file, with_manifest);
      LeaveOutRefusals(*file, report);
      const auto said = Disagreements(ExpectedOf(*file), report, with_manifest);
      EXPECT_TRUE(said.empty()) << file->name << (with_manifest ? " with its manifest: " : ": ")
                                << fmt::format("{}", fmt::join(said, "; "))
                                << Brief(report.findings);
    }
  }

  Expectations expectations_;
  std::map<std::string, std::string> explanations_;
  std::vector<std::unique_ptr<const RealFile>> files_;
};

TEST_P(Corpus, HoldsEveryFileThatIsExpected) {
  EXPECT_GE(files_.size(), GetParam() == OwnRealRoot() ? 200U : 542U);
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

// The places are read off the explanations by hand: each is in its explanation, and no part is left
// out.
TEST_P(Corpus, TakesThePlacesOfMistakesFromTheirExplanations) {
  for (const auto& [mistake, explanation] : explanations_) {
    const auto places = PlacesOf(mistake);
    const auto parts = PartsOf(explanation);
    for (const ToldPlace& place : places) {
      EXPECT_TRUE(std::ranges::any_of(parts, [&](auto part) { return Tells(part, place); }))
          << mistake << ' ' << TextOf(place) << ": " << explanation;
    }
    for (const std::string_view part : parts) {
      const auto tells = [&](const ToldPlace& place) { return Tells(part, place); };
      EXPECT_TRUE(places.empty() || std::ranges::any_of(places, tells)) << mistake << ": " << part;
    }
  }
}

// With a finding for each instance of a cause.
Report EachInstance(Report report) {
  report.findings = UngroupFindings(report.findings);
  return report;
}

TEST_P(Corpus, ReportsEachMistakeWhereItsExplanationTells) {
  int compared = 0;
  for (const auto& file : files_) {
    const std::string mistake = fs::path(file->name).stem().string();
    const ExpectedFile* expected = ExpectedOf(*file);
    if (!explanations_.contains(mistake) || expected == nullptr || !file->program.has_value())
      continue;
    std::vector<RuleChoice> choices = expected->rules;
    const auto places = PlacesOf(mistake);
    if (!choices.empty()) {
      const Report alone = EachInstance(CheckReal(*file, false));
      EXPECT_THAT(Untold(places, choices, alone), IsEmpty()) << mistake << Brief(alone.findings);
    }
    choices.insert(choices.end(), expected->rules_with_manifest.begin(),
                   expected->rules_with_manifest.end());
    if (choices.empty()) continue;
    EXPECT_THAT(places, Not(IsEmpty())) << mistake;
    const Report with_manifest = EachInstance(CheckReal(*file, true));
    EXPECT_THAT(Untold(places, choices, with_manifest), IsEmpty())
        << mistake << " with its manifest" << Brief(with_manifest.findings);
    ++compared;
  }
  EXPECT_GE(compared, 50);
}

// What a finding stands for: two with the same key are one loss told twice.
std::string LossOf(const Finding& f) {
  std::string loss = fmt::format("{} {}#{} bank {}", f.rule, f.method, f.instruction, f.bank);
  if (!f.values.empty()) loss += fmt::format(" v{}", f.values.front());
  if (f.bytes.has_value()) loss += fmt::format(" [{},{})", f.bytes->lo, f.bytes->hi);
  return loss;
}

TEST_P(Corpus, TellsEachLossOnce) {
  for (const auto& file : files_) {
    if (!file->program.has_value()) continue;
    for (const bool with_manifest : {false, true}) {
      const Report report = EachInstance(CheckReal(*file, with_manifest));
      std::set<std::string> told;
      for (const Finding& f : report.findings) {
        EXPECT_TRUE(told.insert(LossOf(f)).second)
            << file->name << ' ' << LossOf(f) << Brief(report.findings);
      }
    }
  }
}

// Three lines: what, what happened to it, who gets a wrong value.
void ExpectThreeLines(const RealFile& file, const std::vector<Finding>& findings) {
  for (const Finding& f : findings) {
    EXPECT_EQ(LineLengths(f.explanation).size(), 3U)
        << file.name << ' ' << f.rule << ": " << f.explanation;
    EXPECT_THAT(LineLengths(f.explanation), Each(AllOf(Ge(10U), Le(200U))))
        << file.name << f.explanation;
  }
}

TEST_P(Corpus, TellsInOneLineWhatToDoAboutEachFinding) {
  for (const auto& file : files_) {
    if (!file->program.has_value()) continue;
    for (const bool with_manifest : {false, true}) {
      for (const Finding& f : CheckReal(*file, with_manifest).findings) {
        EXPECT_THAT(LineLengths(f.fix), testing::ElementsAre(AllOf(Ge(10U), Le(200U))))
            << file->name << ' ' << f.rule << ": " << f.fix;
      }
    }
  }
}

// Two lines, with the meaning of the rule in the second, and the fix apart from them.
void ExpectCompleteRefusals(const RealFile& file, const std::vector<Finding>& findings) {
  for (const Finding& f : findings) {
    EXPECT_EQ(LineLengths(f.explanation).size(), 2U)
        << file.name << ' ' << f.rule << ": " << f.explanation;
    EXPECT_THAT(LineLengths(f.explanation), Each(AllOf(Ge(10U), Le(200U))))
        << file.name << f.explanation;
    EXPECT_THAT(LineLengths(f.fix), ElementsAre(Ge(10U))) << file.name << ' ' << f.rule;
  }
}

TEST_P(Corpus, TellsEachExplanationInThreeLines) {
  for (const auto& file : files_) {
    if (file->program.has_value()) {
      ExpectThreeLines(*file, CheckReal(*file, false).findings);
      ExpectThreeLines(*file, CheckReal(*file, true).findings);
    } else {
      ExpectCompleteRefusals(*file, Explained(file->refusals));
    }
  }
}

TEST_P(Corpus, TellsTheSameOfABundleAsOfTheProgramInside) {
  const auto bundles = ReadAllReal(GetParam(), ".bpte");
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

INSTANTIATE_TEST_SUITE_P(Own, Corpus, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, Corpus, testing::ValuesIn(InCollection("corpus/exported")),
                         NameOfFolder);

TEST(ToldPlace, IsMetOnlyByAFindingWithAllThatTheExplanationNames) {
  const ToldPlace place = {"push", 4, 2, ByteRange{32, 64}};
  Finding finding;
  finding.method = "push";
  finding.instruction = 4;
  finding.bank = 2;
  finding.bytes = ByteRange{32, 64};
  EXPECT_TRUE(IsAt(finding, place));
  const auto differs = [&](auto change) {
    Finding other = finding;
    change(other);
    return !IsAt(other, place);
  };
  EXPECT_TRUE(differs([](Finding& f) { f.method = "both"; }));
  EXPECT_TRUE(differs([](Finding& f) { f.instruction = 3; }));
  EXPECT_TRUE(differs([](Finding& f) { f.instruction = -1; }));
  EXPECT_TRUE(differs([](Finding& f) { f.bank = 1; }));
  EXPECT_TRUE(differs([](Finding& f) { f.bytes = ByteRange{0, 32}; }));
  EXPECT_TRUE(differs([](Finding& f) { f.bytes.reset(); }));
}

void ExpectNoError(const RealFile& file) {
  ASSERT_TRUE(file.program.has_value()) << file.name << Brief(file.refusals);
  const Report report = CheckReal(file, false);
  EXPECT_TRUE(std::ranges::none_of(report.findings,
                                   [](const Finding& f) { return f.severity == Severity::kError; }))
      << file.name << Brief(report.findings);
}

class PublicFiles : public testing::TestWithParam<fs::path> {};

// Sound files that others published. One of them is of an older format.
TEST_P(PublicFiles, HaveNoError) {
  for (const char* extension : {".pte", ".bpte"}) {
    for (const auto& file : ReadAllReal(GetParam(), extension)) {
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

INSTANTIATE_TEST_SUITE_P(Own, PublicFiles,
                         testing::Values(fs::path(PTEPROOF_CORPUS_DIR) / "public"), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, PublicFiles, testing::ValuesIn(InCollection("corpus/public")),
                         NameOfFolder);

}  // namespace
}  // namespace pteproof
