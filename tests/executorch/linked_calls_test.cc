// Programs that were exported apart and linked give PyTorch's values in ExecuTorch's runtime.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "planner/link/link.h"
#include "planner/replan/forms.h"
#include "properties/manifest/linked.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/opening_calls.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct LoadedPart {
  ProgramFile file;
  Manifest manifest;
};

struct LinkedProgram {
  std::vector<std::byte> bytes;
  std::vector<std::byte> replanned;  // with buffers updated in place
  Program program;
  Manifest manifest;
};

LinkedProgram LinkCase(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<LoadedPart> parts;
  parts.reserve(names.size());
  std::vector<FileToLink> files;
  std::vector<planner::LinkedFile> linked_files;
  for (const std::string& name : names) {
    auto file = ReadProgramFile((folder / name).string());
    EXPECT_TRUE(file.ok()) << name;
    const fs::path beside = (folder / name).replace_extension(".manifest.json");
    auto manifest = ParseManifest(ReadText(beside));
    EXPECT_TRUE(manifest.ok()) << name;
    parts.push_back({std::move(file).value(), std::move(manifest).value()});
    files.push_back({name, &parts.back().file.program, &parts.back().manifest});
    linked_files.push_back(LinkedFileOf(files.back()));
  }
  auto linked = planner::Link(std::move(linked_files), {});
  EXPECT_TRUE(linked.ok()) << linked.error();
  auto bytes = WriteProgram(linked.value().program);
  EXPECT_TRUE(bytes.ok());
  const planner::Replanned replanned = planner::MoveStoresAndPlaces(
      linked.value().program,
      {.in_place = true, .operators = {{"aten::index_put_", FindOperator("aten::index_put_")}}});
  auto replanned_bytes = WriteProgram(replanned.program);
  EXPECT_TRUE(replanned_bytes.ok());
  Manifest manifest = LinkedManifest(files, linked.value(), std::nullopt);
  return {std::move(bytes).value(), std::move(replanned_bytes).value(), linked.value().program,
          std::move(manifest)};
}

struct LinkedLoad {
  Policy policy = Policy::kShare12;
  bool all_first = false;
};

// The calls that were compared.
int CompareSequence(const std::vector<std::byte>& program, const LinkedLoad& load,
                    const RecordedSequence& sequence) {
  witness::Job job = {.program = program,
                      .data = {},
                      .banks = load.policy,
                      .loads_all_first = load.all_first,
                      .calls = {}};
  for (const RecordedCall& call : sequence.calls) job.calls.push_back({call.method, call.inputs});
  const auto answers = witness::Ask({&job, 1});
  EXPECT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].load_error, "");
  EXPECT_EQ(answers[0].calls.size(), sequence.calls.size());
  int compared = 0;
  for (size_t c = 0; c < std::min(answers[0].calls.size(), sequence.calls.size()); ++c) {
    const RecordedCall& call = sequence.calls[c];
    EXPECT_EQ(answers[0].calls[c].error, "") << call.method;
    if (!call.eager) continue;
    ++compared;
    EXPECT_EQ(
        FirstDifference(*call.eager, answers[0].calls[c].outputs, std::nullopt, true).value_or(""),
        "")
        << Name(load.policy) << ", " << sequence.name << ", call " << c << " of " << call.method;
  }
  return compared;
}

class LinkedCallsOfExecutorch : public testing::TestWithParam<std::string> {};

TEST_P(LinkedCallsOfExecutorch, GivePyTorchsValues) {
  const fs::path folder = fs::path(PTEPROOF_CORPUS_DIR) / "link" / GetParam();
  auto read = ReadRecording(folder / "calls.json");
  ASSERT_TRUE(read.ok()) << read.error();
  Recording recording = std::move(read).value();
  const LinkedProgram linked = LinkCase(folder, recording.parts);
  AddOpeningCalls(linked.program, &linked.manifest, recording);
  int compared = 0;
  for (const auto* program : {&linked.bytes, &linked.replanned}) {
    for (const Policy policy : {Policy::kShare12, Policy::kShareAll}) {
      for (const bool all_first : {false, true}) {
        for (const RecordedSequence& sequence : recording.sequences) {
          compared += CompareSequence(*program, {policy, all_first}, sequence);
        }
      }
    }
  }
  EXPECT_GE(compared, 48);
}

INSTANTIATE_TEST_SUITE_P(Own, LinkedCallsOfExecutorch,
                         testing::Values("cache", "count", "lm", "encoder_decoder", "llama"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace pteproof
