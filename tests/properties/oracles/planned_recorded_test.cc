// Every recorded call, of single operators and of real models, as the plan has it: in its banks, by
// the runtime's own kernels. What the recording says is true decides.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/recorded_calls.h"
#include "runtime/read_data.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct PlannedDifference {
  std::string_view folder;
  int calls;  // that differ
  std::string_view reason;
};

// Where the kernels and the recording differ on purpose.
constexpr PlannedDifference kPlannedDifferences[] = {
    {"aten-native_layer_norm.out", 1,
     "a mean of 500: both recordings lose digits in float32, beyond the bound"},
};

struct PlannedTally {
  int agree = 0;
  int differ = 0;
  int unknown = 0;  // an operator without a kernel
  std::string stories;

  void Differ(const std::string& where, const std::string& why) {
    if (++differ <= 3) stories += fmt::format("\n  {}: {}", where, why);
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
      tally.Differ(sequence.name, loaded.error().story);
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
      if (!unknown && HasTruth(call)) tally.Differ(where, outputs.error().story);
      return;
    }
    if (unknown || !HasTruth(call)) continue;
    const auto difference = outputs.ok()
                                ? DifferenceFromTruth(call, outputs.value(), recording.tolerance)
                                : std::optional(outputs.error().story);
    if (difference) {
      tally.Differ(where, *difference);
    } else {
      ++tally.agree;
    }
  }
}

std::vector<std::byte> FileBytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool DelegatesWork(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& m) { return !m.delegates.empty(); });
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
  if (!file->program || DelegatesWork(*file->program)) return tally;
  if (!recording.value().data) {
    MakePlannedSequences(*file->program, recording.value(), nullptr, independent, tally);
    return tally;
  }
  const auto bytes = FileBytes(folder / *recording.value().data);
  const auto data = ReadDataFile(bytes);
  EXPECT_TRUE(data.ok()) << folder;
  if (data.ok()) {
    MakePlannedSequences(*file->program, recording.value(), &data.value(), independent, tally);
  }
  return tally;
}

int KnownPlannedDifferences(std::string_view folder) {
  const auto* known = std::ranges::find(kPlannedDifferences, folder, &PlannedDifference::folder);
  return known == std::end(kPlannedDifferences) ? 0 : known->calls;
}

// Of all folders below `root`.
PlannedTally RunPlannedFolders(const fs::path& root, bool independent) {
  PlannedTally all;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!fs::exists(entry.path() / "calls.json")) continue;
    const std::string folder = entry.path().filename().string();
    const PlannedTally tally = RunPlannedFolder(entry.path(), independent);
    EXPECT_EQ(tally.differ, KnownPlannedDifferences(folder)) << folder << tally.stories;
    all.agree += tally.agree;
    all.differ += tally.differ;
    all.unknown += tally.unknown;
    if (tally.unknown > 0) all.stories += " " + folder;
  }
  fmt::print("{} calls agree, {} differ, {} have no kernel:{}\n", all.agree, all.differ,
             all.unknown, all.stories);
  return all;
}

TEST(PlannedRecorded, OperatorsMeanWhatTheRecordingsSay) {
  const auto root = SharedExportedRoot();
  if (!root) GTEST_SKIP() << "the shared collection is not at hand";
  EXPECT_GE(RunPlannedFolders(*root / "ops", true).agree, 3000);
}

TEST(PlannedRecorded, ModelsGiveWhatTheRecordingsSay) {
  const auto root = SharedExportedRoot();
  if (!root) GTEST_SKIP() << "the shared collection is not at hand";
  EXPECT_GE(RunPlannedFolders(*root / "models", false).agree, 100);
}

}  // namespace
}  // namespace pteproof
