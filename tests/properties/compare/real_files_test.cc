// Every real file computes what it computes, however its values are numbered.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "properties/compare/compare_programs.h"
#include "properties/compare/random_calls.h"
#include "pteproof/check.h"
#include "tests/support/collection.h"
#include "tests/support/real_file.h"
#include "tests/support/renumber.h"

namespace pteproof::compare {
namespace {

class RealComputation : public testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(Own, RealComputation, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealComputation,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

std::string Told(const MethodComparison& answer) {
  std::string text = answer.method + ": " + std::string(Name(answer.answer)) + " " + answer.reason;
  if (!answer.difference) return text;
  const Difference& found = *answer.difference;
  return text + found.where + " | " + std::to_string(found.old_side.instruction) + " " +
         found.old_side.term + " | " + std::to_string(found.new_side.instruction) + " " +
         found.new_side.term;
}

// Equal, unless there is no call to compare: a value lies beyond its bank, or a buffer has no
// memory.
void ExpectOneComputation(const RealFile& file, const ComparedSide& side, const ComparedSide& other,
                          const MethodComparison& answer) {
  if (answer.reason != "neither program makes a call") {
    EXPECT_EQ(answer.answer, Answer::kSame) << file.name << " " << Told(answer);
    return;
  }
  const auto runs = CompareRandomCalls(side, other, {.method = answer.method, .calls = 1});
  EXPECT_EQ(runs.compared, 0) << file.name << " " << answer.method;
}

TEST_P(RealComputation, EqualsItself) {
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const ComparedSide side = {&*file->program, nullptr, nullptr};
    for (const MethodComparison& answer : CompareComputation(side, side, {})) {
      ExpectOneComputation(*file, side, side, answer);
    }
  }
}

TEST_P(RealComputation, EqualsItselfRenumbered) {
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const Program renumbered = Renumbered(*file->program, 1);
    const ComparedSide side = {&*file->program, nullptr, nullptr};
    const ComparedSide other = {&renumbered, nullptr, nullptr};
    for (const MethodComparison& answer : CompareComputation(side, other, {})) {
      ExpectOneComputation(*file, side, other, answer);
    }
  }
}

// Real mistakes of plans, beside their siblings without the mistake.
class RealMistakes : public testing::TestWithParam<std::filesystem::path> {};
INSTANTIATE_TEST_SUITE_P(Own, RealMistakes, testing::Values(OwnRealRoot() / "bugs"), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealMistakes,
                         testing::ValuesIn(InCollection("corpus/exported/bugs")), NameOfFolder);

// Mistakes that change nothing which is computed: reserved memory that is not used, a buffer whose
// initial value the model alone has, and a method more.
bool ComputesTheSame(std::string_view name) {
  constexpr std::string_view kSuch[] = {"phantom-cache", "phantom-shared", "reader-first",
                                        "shared-run-private", "suite-order"};
  return std::ranges::find(kSuch, name) != std::end(kSuch);
}

TEST_P(RealMistakes, AreNotTheSameAsTheirSiblings) {
  std::map<std::string, const RealFile*> files;
  const auto all = ReadAllReal(GetParam());
  for (const auto& file : all) files[std::filesystem::path(file->name).stem().string()] = &*file;
  int pairs = 0;
  for (const auto& [name, mistake] : files) {
    const auto sibling = files.find(name + "-ok");
    if (sibling == files.end() || !mistake->program) continue;
    const auto side = [](const RealFile& file) {
      return ComparedSide{&*file.program, nullptr, file.manifest ? &*file.manifest : nullptr};
    };
    const auto answer = ComparePrograms(side(*sibling->second), side(*mistake), {}).computation;
    const bool is_same = answer == Answer::kSame;
    EXPECT_EQ(is_same, ComputesTheSame(name)) << name << ": " << Name(answer);
    EXPECT_NE(answer, Answer::kAgrees) << name;
    ++pairs;
  }
  EXPECT_GT(pairs, 50);
}

// Of a method, other than notes.
bool HasFindings(const Report& report, const std::string& method) {
  return std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.severity != Severity::kNote && finding.method == method;
  });
}

// What a file means is what it computes under each policy for which its plan is safe. A warning may
// be of a value that is lost, and that no output shows.
TEST_P(RealComputation, IsWhatItMeansIfItIsSafe) {
  int64_t same = 0;
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const Manifest* manifest = file->manifest ? &*file->manifest : nullptr;
    const ComparedSide planned = {&*file->program, nullptr, manifest};
    const ComparedSide meant = {&*file->program, nullptr, manifest, ReadAs::kMeant};
    const Report report = Check(*file->program, {.manifest = manifest});
    for (const MethodComparison& answer : CompareComputation(meant, planned, {})) {
      if (HasFindings(report, answer.method)) continue;
      same += answer.answer == Answer::kSame ? 1 : 0;
      for (const Policy policy : kAllPolicies) {
        const bool safe = report.verdicts[static_cast<size_t>(policy)] == Verdict::kSafe;
        if (!safe || !answer.policies.Has(policy)) continue;
        EXPECT_NE(answer.answer, Answer::kDiffers) << file->name << " " << Told(answer);
      }
    }
  }
  EXPECT_GT(same, 0);
}

// Mistakes of the plan alone: what the file means is what its sibling computes. Siblings of the
// others have another instruction (`cond-*` and `old-*` multiply by one), or the file means
// something else: a store or an output is another value, or methods have other buffers.
bool IsOfThePlanAlone(std::string_view name) {
  constexpr std::string_view kSuch[] = {"in-place-flip",
                                        "in-place-on-constant",
                                        "in-place-on-input",
                                        "in-place-reread",
                                        "in-place-output-annotated",
                                        "in-place-result-freed",
                                        "in-place-self",
                                        "in-place-result-freed-state",
                                        "in-place-state-annotated",
                                        "in-place-then-store",
                                        "in-place-two-users",
                                        "in-place-view",
                                        "in-place-view-annotated",
                                        "private-state",
                                        "private-two",
                                        "stale-pass",
                                        "view-then-store",
                                        "view-then-store-chain"};
  return std::ranges::find(kSuch, name) != std::end(kSuch);
}

TEST_P(RealMistakes, MeanWhatTheirSiblingsComputeIfThePlanAloneIsWrong) {
  std::map<std::string, const RealFile*> files;
  const auto all = ReadAllReal(GetParam());
  for (const auto& file : all) files[std::filesystem::path(file->name).stem().string()] = &*file;
  int pairs = 0;
  for (const auto& [name, mistake] : files) {
    const auto sibling = files.find(name + "-ok");
    if (sibling == files.end() || !mistake->program) continue;
    const auto side = [](const RealFile& file, ReadAs read) {
      const Manifest* manifest = file.manifest ? &*file.manifest : nullptr;
      return ComparedSide{&*file.program, nullptr, manifest, read};
    };
    const auto answer = ComparePrograms(side(*mistake, ReadAs::kMeant),
                                        side(*sibling->second, ReadAs::kPlanned), {})
                            .computation;
    const bool is_same = answer == Answer::kSame;
    EXPECT_EQ(is_same, IsOfThePlanAlone(name) || ComputesTheSame(name))
        << name << ": " << Name(answer);
    pairs += is_same ? 1 : 0;
  }
  EXPECT_EQ(pairs, 23);
}

}  // namespace
}  // namespace pteproof::compare
