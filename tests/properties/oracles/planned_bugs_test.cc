// Real planning mistakes, and their fixed siblings: a faithful run of a wrong plan gives the wrong
// values that ExecuTorch gave, and the differential run shows which plans lose bytes, with no
// knowledge of what operators mean.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "properties/oracles/compare.h"
#include "properties/oracles/diff_program.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/recorded_calls.h"
#include "tests/support/collection.h"
#include "tests/support/counts.h"
#include "tests/support/expected_verdicts.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

int32_t IndexOfMethod(const Program& program, const std::string& name) {
  const auto found = std::ranges::find(program.methods, name, &Method::name);
  return static_cast<int32_t>(found - program.methods.begin());
}

// As ExecuTorch's loaders do it.
PlannedRunOptions LoadedLike(const RecordedSequence& sequence) {
  PlannedRunOptions options;
  options.policy = sequence.policy;
  options.apply = ApplyState::kEachLoad;
  options.lazy = !sequence.loads_all_first;
  options.writable_constants = true;
  return options;
}

// Calls that gave what the recording has of ExecuTorch, or were refused as there.
int FaithfulCalls(const Program& program, const RecordedSequence& sequence,
                  const std::string& folder) {
  auto run = PlannedRun::Load(program, LoadedLike(sequence));
  int calls = 0;
  for (const RecordedCall& call : sequence.calls) {
    const std::string where = fmt::format("{} {} {}", folder, sequence.name, calls);
    if (!run.ok()) {
      EXPECT_FALSE(call.executorch.has_value()) << where << run.error().explanation;
      return calls + 1;
    }
    const auto outputs = run.value().Call(IndexOfMethod(program, call.method), call.inputs);
    EXPECT_EQ(outputs.ok(), call.executorch.has_value()) << where;
    ++calls;
    if (!outputs.ok() || !call.executorch) return calls;
    const auto difference = FirstDifference(*call.executorch, outputs.value(), {}, true);
    EXPECT_FALSE(difference.has_value()) << where << ": " << *difference;
  }
  return calls;
}

class RealPrograms : public testing::TestWithParam<fs::path> {};

INSTANTIATE_TEST_SUITE_P(Own, RealPrograms, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealPrograms,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

TEST_P(RealPrograms, WithMistakesGiveTheValuesThatTheyGaveInExecuTorch) {
  int files = 0;
  int calls = 0;
  for (const auto& file : ReadAllReal(GetParam() / "bugs")) {
    if (!file->program || HasDelegate(*file->program)) continue;
    const fs::path folder = (GetParam() / "bugs" / file->name).parent_path();
    const auto recording = ReadRecording(folder / "calls.json");
    ASSERT_TRUE(recording.ok()) << recording.error();
    for (const RecordedSequence& sequence : recording.value().sequences) {
      calls += FaithfulCalls(*file->program, sequence, file->name);
    }
    ++files;
  }
  EXPECT_GE(files, 108);
  EXPECT_GE(calls, 1000);
}

constexpr std::array kPolicies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};

// Mistakes of a plan that lose bytes; others need the source model, or a loader, to show. Of
// several rules that may speak the first is the one that fits best.
bool LosesBytes(const ExpectedFile& expected) {
  constexpr std::array kRules = {"plan-overlap",        "region-escape",   "alias-lifetime",
                                 "in-place-single-use", "in-place-alias",  "state-clobbered",
                                 "shared-layout",       "entry-value-lost"};
  return std::ranges::any_of(expected.rules, [&](const RuleChoice& choice) {
    return std::ranges::find(kRules, choice.front()) != kRules.end();
  });
}

// Where a wrong byte reaches nothing, so that the check has no word against it: `previous` keeps
// what a buffer held in another one, from which nobody reads.
bool ReachesNothing(const std::string& name) {
  return name == "models/previous/previous.pte";
}

// The other way round: a buffer is overwritten that the program itself never reads.
bool IsNeverRead(const std::string& name) {
  return name == "models/names_unshared/names_unshared.pte";
}

// Sanitizers look for other mistakes than missing ones.
const int kSequences = IsCampaign() ? 20 : 2;

TEST_P(RealPrograms, DifferWherePlansLoseBytesAndNowhereElse) {
  RecordProperty("slow", "reads every program of the corpus");
  const Expectations expectations = ReadExpectations(GetParam());
  int compared = 0;
  int differing = 0;
  for (const auto& file : ReadAllReal(GetParam())) {
    const bool is_operator = file->name.starts_with("ops/");
    if (!file->program || is_operator) continue;
    const Report report = CheckReal(*file, file->manifest.has_value());
    bool differs = false;
    for (const Policy policy : kPolicies) {
      DiffOptions options = {.policy = policy, .sequences = kSequences};
      if (file->manifest) options.manifest = &*file->manifest;
      const DiffReport diff = DiffProgram(*file->program, options);
      compared += diff.compared > 0 ? 1 : 0;
      differs = differs || diff.disagreement.has_value();
      const bool safe = report.verdicts[static_cast<size_t>(policy)] == Verdict::kSafe;
      EXPECT_EQ(safe && diff.disagreement.has_value(), safe && ReachesNothing(file->name))
          << file->name;
    }
    differing += differs ? 1 : 0;
    const auto expected = expectations.find(file->name);
    const bool must = IsCampaign() && expected != expectations.end() &&
                      LosesBytes(expected->second) && !IsNeverRead(file->name);
    if (must) EXPECT_TRUE(differs) << file->name;
  }
  EXPECT_GE(compared, GetParam() == OwnRealRoot() ? 680 : 780);
  EXPECT_GE(differing, IsCampaign() ? 27 : 20);
}

}  // namespace
}  // namespace pteproof
