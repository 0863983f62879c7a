// Every recorded call of real models, in the reference: what ExecuTorch and PyTorch gave decides.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/replay.h"
#include "runtime/read_data.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

void ExpectTruth(const Recording& recording, const RealFile& file, const DataFile* data) {
  for (const RecordedSequence& sequence : recording.sequences) {
    ReplayOptions options;
    options.policy = sequence.policy;
    options.data = data;
    options.manifest = file.manifest ? &*file.manifest : nullptr;
    Replay replay(*file.program, options);
    for (const RecordedCall& call : sequence.calls) {
      const auto outcome = replay.Call(replay.MethodNamed(call.method), call.inputs);
      if (call.truth == Truth::kSkip) continue;
      ASSERT_TRUE(outcome.ok()) << file.name << " " << sequence.name << " " << call.method << ": "
                                << outcome.error().explanation;
      EXPECT_EQ(DifferenceFromTruth(call, outcome.value(), recording.tolerance), std::nullopt)
          << file.name << " " << sequence.name << " " << call.method;
    }
  }
}

int CompareAll(const std::filesystem::path& root) {
  int compared = 0;
  for (const auto& file : ReadAllReal(root)) {
    const std::filesystem::path path = root / file->name;
    const std::filesystem::path calls = path.parent_path() / "calls.json";
    if (!file->program || HasDelegate(*file->program) || !std::filesystem::exists(calls)) continue;
    const auto recording = ReadRecording(calls);
    EXPECT_TRUE(recording.ok()) << recording.error();
    if (!recording.ok()) continue;
    if (!recording.value().data) {
      ExpectTruth(recording.value(), *file, nullptr);
    } else {
      const auto bytes = ReadBytes(path.parent_path() / *recording.value().data);
      const auto data = ReadDataFile(bytes);
      EXPECT_TRUE(data.ok());
      if (data.ok()) ExpectTruth(recording.value(), *file, &data.value());
    }
    ++compared;
  }
  return compared;
}

class RecordedModels : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RecordedModels, AgreeInTheReference) {
  EXPECT_GE(CompareAll(GetParam() / "models"), 100);
}

INSTANTIATE_TEST_SUITE_P(Own, RecordedModels, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RecordedModels,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof
