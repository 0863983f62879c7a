// Real mistakes of a shipped exporter, repaired: the new program gives PyTorch's values in every
// recorded sequence of calls, under every policy that its certificate names. What cannot be
// repaired is listed with the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/repair/repair.h"
#include "properties/certify/certify.h"
#include "properties/certify/restate.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "reference/op_schema.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

fs::path MistakesFolder() {
  return fs::path(PTEPROOF_CORPUS_DIR) / "real/bugs";
}

// Those that are not written, and what they lack. `manifest`: with theirs they are.
struct Refused {
  std::string_view reason;
  bool manifest = false;
};
const std::map<std::string, Refused>& AllRefused() {
  static const std::map<std::string, Refused> all = {
      {"delay-line", {"no instruction has what is to be stored"}},
      {"in-place-output", {"undecided: which output is the older value, nothing says"}},
      {"in-place-state", {"only a run shows it"}},
      {"initial-out-of-table", {"malformed"}},
      {"initial-wrong-table", {"only the manifest says what the buffer starts with", true}},
      {"in-place-view-annotated", {"one of two values in a place is what a view stands for"}},
      {"late-load", {"each load would have to store the initial value once"}},
      {"lineage-wrong-root", {"no instruction has what is to be stored"}},
      {"name-clash-both", {"two stores come into question"}},
      {"name-clash-crossed", {"two stores come into question"}},
      {"name-clash-set", {"only the manifest says which store it is", true}},
      {"name-clash-total", {"only the manifest says which store it is", true}},
      {"no-upper-bound", {"only the manifest says that there are larger inputs"}},
      {"outputs-shifted", {"only the manifest says which output it is"}},
      {"pass-missing", {"nothing says which constant is the buffer"}},
      {"phantom-cache", {"safe: reserved bytes that nothing uses"}},
      {"phantom-shared", {"safe: reserved bytes that nothing uses"}},
      {"reader-constant", {"nothing says which constant is the buffer"}},
      {"reader-delegated", {"a delegate holds the buffer"}},
      {"reader-first", {"the file does not hold the initial value"}},
      {"reader-folded", {"the buffer was folded into a constant"}},
      {"shared-run-private", {"safe: the loader shares nothing"}},
      {"sizes-disagree", {"one buffer has two sizes"}},
      {"store-dropped", {"no instruction has what is to be stored"}},
      {"store-dropped-view", {"no instruction has what is to be stored"}},
      {"suite-order", {"safe: the bank is larger than it has to be"}},
      {"swap", {"no instruction has what is to be stored"}},
      {"swap-in-place", {"only a run shows it"}},
  };
  return all;
}

struct RepairedCase {
  certify::Restated meant;
  planner::Repaired repaired;
  certify::Certificate certificate;
};

std::vector<Operator> CopyOperators() {
  return {{"aten::copy_", FindOperator("aten::copy_")}};
}

RepairedCase RepairCase(const Program& program, const Manifest* manifest) {
  RepairedCase of;
  of.meant = certify::Restate(program, manifest, true);
  of.repaired = planner::Repair(of.meant.program, {}, CopyOperators());
  if (!of.repaired.failure.empty()) {
    of.certificate.open = true;
    of.certificate.failure = of.repaired.failure;
    return of;
  }
  const Report report = Check(program, {.manifest = manifest});
  const Program& repaired = of.repaired.replanned.program;
  std::optional<Manifest> meant;
  if (manifest != nullptr) {
    meant = certify::WithSharing(planner::WithNewNumbers(*manifest, repaired, of.repaired));
  }
  of.certificate = certify::Certify({&of.meant.program, nullptr, manifest},
                                    {&repaired, nullptr, meant ? &*meant : nullptr},
                                    {.old_report = &report, .repair = true, .calls = 20});
  return of;
}

// "sequence, call: difference", of those that are not PyTorch's.
std::vector<std::string> Differences(const Program& program, const Recording& recording,
                                     PolicySet policies, int& calls) {
  std::vector<std::string> differences;
  for (const RecordedSequence& sequence : recording.sequences) {
    if (!policies.Has(sequence.policy)) continue;
    auto run = PlannedRun::Load(program, {.policy = sequence.policy,
                                          .apply = ApplyState::kEachLoad,
                                          .lazy = !sequence.loads_all_first});
    if (!run.ok()) {
      differences.push_back(sequence.name + ": " + run.error().explanation);
      continue;
    }
    for (const RecordedCall& call : sequence.calls) {
      const auto method = std::ranges::find(program.methods, call.method, &Method::name);
      const auto outputs =
          run.value().Call(static_cast<int32_t>(method - program.methods.begin()), call.inputs);
      if (!outputs.ok()) {
        differences.push_back(sequence.name + ": " + outputs.error().explanation);
        break;
      }
      ++calls;
      const auto difference =
          FirstDifference(call.eager.value(), outputs.value(), recording.tolerance, true);
      if (difference) differences.push_back(sequence.name + ": " + *difference);
    }
  }
  return differences;
}

std::vector<std::string> Mistakes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(MistakesFolder())) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("-ok") && fs::exists(entry.path() / (name + ".pte"))) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

class RepairedMistakes : public testing::TestWithParam<std::string> {};

TEST_P(RepairedMistakes, GivePyTorchsValuesOrAreRefused) {
  const std::string& name = GetParam();
  const fs::path folder = MistakesFolder() / name;
  const auto bytes = ReadBytes(folder / (name + ".pte"));
  const auto program = ReadProgram(bytes);
  const auto refused = AllRefused().find(name);
  if (!program.ok()) {
    ASSERT_NE(refused, AllRefused().end());
    EXPECT_EQ(refused->second.reason, "malformed");
    return;
  }
  const auto manifest = ParseManifest(ReadText(folder / (name + ".manifest.json")));
  ASSERT_TRUE(manifest.ok());
  const auto recording = ReadRecording(folder / "calls.json");
  ASSERT_TRUE(recording.ok()) << recording.error();
  for (const Manifest* given : {static_cast<const Manifest*>(nullptr), &manifest.value()}) {
    const RepairedCase of = RepairCase(program.value(), given);
    EXPECT_TRUE(of.certificate.open || of.certificate.holds()) << of.certificate.failure;
    const bool is_refused =
        refused != AllRefused().end() && !(given != nullptr && refused->second.manifest);
    EXPECT_EQ(of.certificate.holds(), !is_refused) << of.certificate.failure;
    if (!of.certificate.holds()) continue;
    int calls = 0;
    EXPECT_THAT(Differences(of.repaired.replanned.program, recording.value(),
                            of.certificate.policies, calls),
                IsEmpty());
    EXPECT_GT(calls, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Own, RepairedMistakes, testing::ValuesIn(Mistakes()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// As the manifest of today's exports has it: which value of a method is the buffer.
TEST(RepairedMistakes, OfABufferThatBecameAConstantNeedTheValuesOfTheManifest) {
  const std::map<std::string, std::map<int32_t, std::string>> values_of_get = {
      {"pass-missing", {{0, "state"}}}, {"reader-constant", {{0, "state"}}}};
  for (const auto& [name, values] : values_of_get) {
    const fs::path folder = MistakesFolder() / name;
    const auto bytes = ReadBytes(folder / (name + ".pte"));
    const auto program = ReadProgram(bytes);
    auto manifest = ParseManifest(ReadText(folder / (name + ".manifest.json")));
    const auto recording = ReadRecording(folder / "calls.json");
    ASSERT_TRUE(program.ok() && manifest.ok() && recording.ok());
    manifest.value().methods.at("get").values = values;
    const RepairedCase of = RepairCase(program.value(), &manifest.value());
    ASSERT_TRUE(of.certificate.holds()) << name << ": " << of.certificate.failure;
    int calls = 0;
    EXPECT_THAT(Differences(of.repaired.replanned.program, recording.value(),
                            of.certificate.policies, calls),
                IsEmpty());
    EXPECT_GT(calls, 0);
  }
}

TEST(RepairedMistakes, AreAsManyAsThatAndMoreWithAManifest) {
  const auto with_manifest =
      std::ranges::count_if(AllRefused(), [](const auto& each) { return each.second.manifest; });
  EXPECT_EQ(Mistakes().size() - AllRefused().size(), 28U);
  EXPECT_EQ(with_manifest, 3);
}

}  // namespace
}  // namespace pteproof
