// Real mistakes of a shipped exporter, repaired: ExecuTorch's own runtime gives PyTorch's values
// for the new program, in every recorded sequence under the policies that its certificate names.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "planner/repair/repair.h"
#include "planner/repair/restate.h"
#include "properties/certify/certify.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

struct RepairTally {
  int programs = 0;
  int calls = 0;
};

void CompareRepaired(const Program& program, PolicySet policies, const Recording& recording,
                     const std::string& what, RepairTally& tally) {
  const auto bytes = WriteProgram(program);
  ASSERT_TRUE(bytes.ok()) << what;
  for (const RecordedSequence& sequence : recording.sequences) {
    if (!policies.Has(sequence.policy)) continue;
    witness::Job job;
    job.program = bytes.value();
    job.banks = sequence.policy;
    job.loads_all_first = sequence.loads_all_first;
    for (const RecordedCall& call : sequence.calls) job.calls.push_back({call.method, call.inputs});
    const auto answers = witness::Ask({&job, 1});
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].load_error, "") << what;
    for (size_t c = 0; c < answers[0].calls.size(); ++c) {
      const auto& outcome = answers[0].calls[c];
      const std::string where = what + ", " + sequence.name + ", call " + std::to_string(c);
      EXPECT_EQ(outcome.error, "") << where;
      EXPECT_EQ(FirstDifference(sequence.calls[c].eager.value(), outcome.outputs,
                                recording.tolerance, true)
                    .value_or(""),
                "")
          << where;
      ++tally.calls;
    }
  }
  ++tally.programs;
}

void RepairAndCompare(const fs::path& folder, bool with_manifest, RepairTally& tally) {
  const std::string name = folder.filename().string();
  const auto bytes = ReadBytes(folder / (name + ".pte"));
  const auto program = ReadProgram(bytes);
  if (!program.ok()) return;
  const auto stated = ParseManifest(ReadText(folder / (name + ".manifest.json")));
  ASSERT_TRUE(stated.ok()) << name;
  const Manifest* manifest = with_manifest ? &stated.value() : nullptr;
  const planner::Restated meant = planner::Restate(program.value(), manifest, true);
  const Operator copy = {"aten::copy_", FindOperator("aten::copy_")};
  const planner::Repaired repaired = planner::Repair(meant.program, {}, {&copy, 1});
  if (!repaired.failure.empty()) return;
  const Report report = Check(program.value(), {.manifest = manifest});
  const auto certificate = certify::Certify({&meant.program, nullptr, manifest},
                                            {&repaired.replanned.program, nullptr, manifest},
                                            {.old_report = &report, .repair = true, .calls = 5});
  if (!certificate.holds()) return;
  const auto recording = ReadRecording(folder / "calls.json");
  ASSERT_TRUE(recording.ok()) << recording.error();
  CompareRepaired(repaired.replanned.program, certificate.policies, recording.value(), name, tally);
}

TEST(RepairedPrograms, GivePyTorchsValuesInExecutorch) {
  for (const bool with_manifest : {false, true}) {
    RepairTally tally;
    for (const auto& entry : fs::directory_iterator(fs::path(PTEPROOF_CORPUS_DIR) / "real/bugs")) {
      const std::string name = entry.path().filename().string();
      const bool has_program = fs::exists(entry.path() / (name + ".pte"));
      if (has_program && !name.ends_with("-ok")) {
        RepairAndCompare(entry.path(), with_manifest, tally);
      }
    }
    EXPECT_EQ(tally.programs, with_manifest ? 32 : 29);
    EXPECT_GE(tally.calls, with_manifest ? 125 : 115);
  }
}

}  // namespace
}  // namespace pteproof
