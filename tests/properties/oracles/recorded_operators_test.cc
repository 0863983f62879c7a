// Every recorded call of a single operator, in the reference: it agrees with what the recording
// says is true, but for the operators named here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>

#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/replay.h"
#include "tests/support/collection.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct KnownDifference {
  std::string_view folder;  // of the operator
  int calls;                // that differ
  std::string_view reason;
};

// Where the reference and the recording differ on purpose.
constexpr KnownDifference kKnownDifferences[] = {
    {"aten-native_layer_norm.out", 1,
     "a mean of 500: both recordings lose digits in float32, beyond the bound"},
    {"aten-remainder.Scalar_out", 1,
     "PyTorch's quotient overflows for the greatest float32, so that it gives NaN for 0"},
};

struct RecordedFolder {
  std::string name;
  fs::path root;
  int operators;  // at least
  int compared;   // calls, at least
  double share;   // of the compared calls that agree, at least
};

void PrintTo(const RecordedFolder& collection, std::ostream* out) {
  *out << collection.name;
}

struct Tally {
  int agree = 0;
  int differ = 0;
  std::string explanations;  // of the first calls that differ

  void Differ(const RecordedCall& call, const std::string& why) {
    if (++differ <= 3) explanations += fmt::format("\n  {} ({}): {}", call.method, call.label, why);
  }
};

// Whether there is something to compare the call's outputs with.
bool IsCompared(const RecordedCall& call) {
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

void Compare(const RecordedCall& call, Replay& replay, Tally& tally) {
  const int32_t method = replay.MethodNamed(call.method);
  if (method < 0) return tally.Differ(call, "the method does not exist");
  const auto outcome = replay.Call(method, call.inputs);
  if (!outcome.ok()) return tally.Differ(call, outcome.error().explanation);
  const auto difference = DifferenceFromTruth(call, outcome.value(), std::nullopt);
  if (difference) return tally.Differ(call, *difference);
  ++tally.agree;
}

Tally ReplayFolder(const fs::path& folder) {
  Tally tally;
  const auto recording = ReadRecording(folder / "calls.json");
  if (!recording.ok()) {
    ADD_FAILURE() << recording.error();
    return tally;
  }
  const auto file = ReadReal(folder, folder / recording.value().program);
  if (!file->program.has_value()) {
    ADD_FAILURE() << folder << " is refused";
    return tally;
  }
  for (const RecordedSequence& sequence : recording.value().sequences) {
    ReplayOptions options;
    options.policy = sequence.policy;
    Replay replay(*file->program, options);
    for (const RecordedCall& call : sequence.calls) {
      if (IsCompared(call)) Compare(call, replay, tally);
    }
  }
  return tally;
}

const RecordedFolder kOwnOperators = {"operators", fs::path(PTEPROOF_CORPUS_DIR) / "operators", 34,
                                      764, 0.99};

std::vector<RecordedFolder> OperatorsOfCollection() {
  std::vector<RecordedFolder> folders;
  for (const fs::path& root : InCollection("corpus/exported/ops")) {
    folders.push_back({"ops", root, 268, 5700, 0.99});
  }
  return folders;
}

std::string NameOfRecorded(const testing::TestParamInfo<RecordedFolder>& info) {
  return info.param.name;
}

int KnownDifferencesOf(std::string_view folder) {
  const auto* known = std::ranges::find(kKnownDifferences, folder, &KnownDifference::folder);
  return known == std::end(kKnownDifferences) ? 0 : known->calls;
}

class RecordedOperators : public testing::TestWithParam<RecordedFolder> {};

TEST_P(RecordedOperators, MeanWhatTheRecordingsSay) {
  int operators = 0;
  int agree = 0;
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(GetParam().root)) {
    if (!entry.is_directory()) continue;
    const std::string folder = entry.path().filename().string();
    const Tally tally = ReplayFolder(entry.path());
    ++operators;
    agree += tally.agree;
    compared += tally.agree + tally.differ;
    EXPECT_EQ(tally.differ, KnownDifferencesOf(folder)) << folder << tally.explanations;
  }
  EXPECT_GE(operators, GetParam().operators);
  EXPECT_GE(compared, GetParam().compared);
  EXPECT_GE(agree, GetParam().share * compared) << agree << " of " << compared;
}

INSTANTIATE_TEST_SUITE_P(Own, RecordedOperators, testing::Values(kOwnOperators), NameOfRecorded);
INSTANTIATE_TEST_SUITE_P(Collection, RecordedOperators, testing::ValuesIn(OperatorsOfCollection()),
                         NameOfRecorded);

}  // namespace
}  // namespace pteproof
