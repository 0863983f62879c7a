// Every recorded call, of single operators and of real models, as the plan has it: in its banks, by
// the runtime's own kernels. What the recording says is true decides.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/recorded_calls.h"
#include "runtime/read_data.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct PlannedDifference {
  std::string_view folder;
  int faithful;  // calls that give what ExecuTorch gave, and not what is true
  int differ;    // calls that give neither
  std::string_view reason;
};

// Where the kernels and the recording differ on purpose.
constexpr PlannedDifference kPlannedDifferences[] = {
    {"aten-native_layer_norm.out", 0, 1,
     "a mean of 500: both recordings lose digits in float32, beyond the bound"},
    {"aten-remainder.Scalar_out", 1, 0,
     "PyTorch's quotient overflows for the greatest float32, so that it gives NaN for 0"},
    {"cond_pair", 4, 0, "the plan loses a value"},
    {"private_states", 5, 0, "the loader shares the bank, and one method destroys another's state"},
    {"state_and_noise", 2, 0, "the same"},
    {"state_pool_methods", 3, 0, "the same"},
};

struct PlannedTally {
  int agree = 0;
  int faithful = 0;  // as PlannedDifference
  int differ = 0;
  int unknown = 0;  // an operator without a kernel
  std::string explanations;

  void Differ(const std::string& where, const std::string& why) {
    if (++differ <= 3) explanations += fmt::format("\n  {}: {}", where, why);
  }
};

// Whether there is something to compare the call's outputs with.
bool HasTruth(const RecordedCall& call) {
  switch (call.truth.value_or(Truth::kExecutorch)) {
    case Truth::kSkip:
      return false;
    case Truth::kExecutorch:
      return call.executorch.has_value();
    case Truth::kEager:
      return call.eager.has_value();
    case Truth::kEither:
    case Truth::kShape:
      return call.executorch.has_value() || call.eager.has_value();
  }
  return false;
}

int32_t PlannedMethodNamed(const Program& program, const std::string& name) {
  const auto found = std::ranges::find(program.methods, name, &Method::name);
  return found == program.methods.end() ? -1
                                        : static_cast<int32_t>(found - program.methods.begin());
}

void CompareWithTruth(const RecordedCall& call, const std::string& where,
                      std::span<const Datum> outputs, std::optional<Tolerance> tolerance,
                      PlannedTally& tally) {
  const auto difference = DifferenceFromTruth(call, outputs, tolerance);
  if (!difference) {
    ++tally.agree;
  } else if (call.executorch && !FirstDifference(*call.executorch, outputs, tolerance, true)) {
    ++tally.faithful;
  } else {
    tally.Differ(where, *difference);
  }
}

// One that cannot be made ends the sequence where its calls depend on each other.
void MakePlannedCalls(const Program& program, const RecordedSequence& sequence,
                      const Recording& recording, const DataFile* data, bool independent,
                      PlannedTally& tally) {
  PlannedRunOptions options;
  options.policy = sequence.policy;
  options.apply = ApplyState::kEachLoad;
  options.lazy = !sequence.loads_all_first;
  options.data = data;
  auto loaded = PlannedRun::Load(program, options);
  if (!loaded.ok()) {
    if (loaded.error().kind == RunFault::Kind::kUnknown) {
      ++tally.unknown;
    } else {
      tally.Differ(sequence.name, loaded.error().explanation);
    }
    return;
  }
  PlannedRun& run = loaded.value();
  for (const RecordedCall& call : sequence.calls) {
    const std::string where = fmt::format("{} {} {}", sequence.name, call.method, call.label);
    const auto outputs = run.Call(PlannedMethodNamed(program, call.method), call.inputs);
    const bool unknown = !outputs.ok() && outputs.error().kind == RunFault::Kind::kUnknown;
    if (unknown) ++tally.unknown;
    if (!outputs.ok() && !independent) {
      if (!unknown && HasTruth(call)) tally.Differ(where, outputs.error().explanation);
      return;
    }
    if (unknown || !HasTruth(call)) continue;
    if (!outputs.ok()) {
      tally.Differ(where, outputs.error().explanation);
    } else {
      CompareWithTruth(call, where, outputs.value(), recording.tolerance, tally);
    }
  }
}

void MakePlannedSequences(const Program& program, const Recording& recording, const DataFile* data,
                          bool independent, PlannedTally& tally) {
  for (const RecordedSequence& sequence : recording.sequences) {
    MakePlannedCalls(program, sequence, recording, data, independent, tally);
  }
}

PlannedTally RunPlannedFolder(const fs::path& folder, bool independent) {
  PlannedTally tally;
  const auto recording = ReadRecording(folder / "calls.json");
  if (!recording.ok()) {
    ADD_FAILURE() << recording.error();
    return tally;
  }
  const auto file = ReadReal(folder, folder / recording.value().program);
  if (!file->program || HasDelegate(*file->program)) return tally;
  if (!recording.value().data) {
    MakePlannedSequences(*file->program, recording.value(), nullptr, independent, tally);
    return tally;
  }
  const auto bytes = ReadBytes(folder / *recording.value().data);
  const auto data = ReadDataFile(bytes);
  EXPECT_TRUE(data.ok()) << folder;
  if (data.ok()) {
    MakePlannedSequences(*file->program, recording.value(), &data.value(), independent, tally);
  }
  return tally;
}

void ExpectKnown(const std::string& folder, const PlannedTally& tally) {
  const auto* known = std::ranges::find(kPlannedDifferences, folder, &PlannedDifference::folder);
  const bool listed = known != std::end(kPlannedDifferences);
  EXPECT_EQ(tally.faithful, listed ? known->faithful : 0) << folder;
  EXPECT_EQ(tally.differ, listed ? known->differ : 0) << folder << tally.explanations;
}

// Of all folders below `root`.
PlannedTally RunPlannedFolders(const fs::path& root, bool independent) {
  PlannedTally all;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!fs::exists(entry.path() / "calls.json")) continue;
    const std::string folder = entry.path().filename().string();
    const PlannedTally tally = RunPlannedFolder(entry.path(), independent);
    ExpectKnown(folder, tally);
    all.agree += tally.agree;
    all.faithful += tally.faithful;
    all.differ += tally.differ;
    all.unknown += tally.unknown;
  }
  testing::Test::RecordProperty("agree", all.agree);
  testing::Test::RecordProperty("faithful", all.faithful);
  testing::Test::RecordProperty("differ", all.differ);
  testing::Test::RecordProperty("unknown", all.unknown);
  return all;
}

// A folder of recorded operators and one of recorded models.
struct RecordedFolders {
  std::string name;
  fs::path operators;
  fs::path models;
  int agreeing_operators = 0;  // calls
  int agreeing_models = 0;
};

void PrintTo(const RecordedFolders& folders, std::ostream* os) {
  *os << folders.name;
}

const RecordedFolders kOwnFolders = {"real", fs::path(PTEPROOF_CORPUS_DIR) / "operators",
                                     OwnRealRoot() / "models", 763, 488};

std::vector<RecordedFolders> FoldersOfCollection() {
  std::vector<RecordedFolders> folders;
  for (const fs::path& root : InCollection("corpus/exported")) {
    folders.push_back({"exported", root / "ops", root / "models", 5718, 606});
  }
  return folders;
}

std::string NameOfFolders(const testing::TestParamInfo<RecordedFolders>& info) {
  return info.param.name;
}

class PlannedRecorded : public testing::TestWithParam<RecordedFolders> {};

TEST_P(PlannedRecorded, OperatorsMeanWhatTheRecordingsSay) {
  const PlannedTally tally = RunPlannedFolders(GetParam().operators, true);
  EXPECT_GE(tally.agree, GetParam().agreeing_operators);
  EXPECT_EQ(tally.unknown, 0);
}

TEST_P(PlannedRecorded, ModelsGiveWhatTheRecordingsSay) {
  const PlannedTally tally = RunPlannedFolders(GetParam().models, false);
  EXPECT_GE(tally.agree, GetParam().agreeing_models);
  EXPECT_EQ(tally.unknown, 0);
}

INSTANTIATE_TEST_SUITE_P(Own, PlannedRecorded, testing::Values(kOwnFolders), NameOfFolders);
INSTANTIATE_TEST_SUITE_P(Collection, PlannedRecorded, testing::ValuesIn(FoldersOfCollection()),
                         NameOfFolders);

}  // namespace
}  // namespace pteproof
