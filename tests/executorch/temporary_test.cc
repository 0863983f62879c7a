// What kernels ask the temporary allocator for, against what the program tells of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "properties/memory/temporary_memory.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/read.h"
#include "reference/op_wheel.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::CountOf;
using witness::Job;

// The most that one instruction of a call asks for.
uint64_t MostOf(const std::vector<Datum>& told) {
  uint64_t most = 0;
  for (size_t at = 0; at < told.size();) {
    uint64_t sum = 0;
    for (int64_t count = std::get<int64_t>(told[at++]); count > 0; --count) {
      sum += static_cast<uint64_t>(std::get<int64_t>(told.at(at++)));
    }
    most = std::max(most, sum);
  }
  return most;
}

struct CountedOperators {
  std::set<std::string> called;
  int64_t calls = 0;
  int64_t ask = 0;  // of the calls
};

// Each recorded call by itself, as most are of one operator.
void CountBelow(const fs::path& calls_json, CountedOperators& counted) {
  const auto recording = ReadRecording(calls_json);
  ASSERT_TRUE(recording.ok()) << recording.error();
  const fs::path folder = calls_json.parent_path();
  if (recording.value().program.empty()) return;
  const auto bytes = ReadBytes(folder / recording.value().program);
  const auto program = ReadProgram(bytes);
  if (!program.ok()) return;
  std::vector<Job> jobs;
  for (const RecordedSequence& sequence : recording.value().sequences) {
    for (const RecordedCall& call : sequence.calls) {
      Job& job = jobs.emplace_back();
      job.program = bytes;
      if (recording.value().data) job.data = ReadBytes(folder / *recording.value().data);
      job.calls.push_back({call.method, call.inputs});
      job.count = CountOf::kTemporary;
    }
  }
  const auto answers = witness::Ask(jobs);
  for (size_t j = 0; j < jobs.size(); ++j) {
    const auto method =
        std::ranges::find(program.value().methods, jobs[j].calls[0].method, &Method::name);
    ASSERT_NE(method, program.value().methods.end());
    const witness::Outcome& outcome = answers[j].calls[0];
    if (!outcome.error.empty()) continue;  // no kernel, or it refuses the call
    const memory::TemporaryUse use = memory::TemporaryUseOf(*method);
    if (!use.unknown.empty()) continue;
    EXPECT_EQ(MostOf(outcome.outputs), use.bytes) << folder.filename() << " " << method->name;
    ++counted.calls;
    counted.ask += use.bytes > 0 ? 1 : 0;
    for (const Instruction& each : method->instructions) {
      if (each.kind != InstructionKind::kKernelCall) continue;
      counted.called.insert(method->operators[static_cast<size_t>(each.target)].name);
    }
  }
}

CountedOperators CountAllBelow(const fs::path& root) {
  CountedOperators counted;
  for (const fs::path& path : FilesBelow(root)) {
    if (path.filename() == "calls.json") CountBelow(path, counted);
  }
  return counted;
}

TEST(TemporaryMemory, IsWhatTheWheelsKernelsAskFor) {
  const CountedOperators counted = CountAllBelow(fs::path(PTEPROOF_CORPUS_DIR) / "operators");
  EXPECT_GE(counted.calls, 600);
  EXPECT_GE(counted.ask, 20);
  EXPECT_GE(counted.called.size(), 25U);
}

TEST(TemporaryMemory, IsWhatModelsAskFor) {
  RecordProperty("slow", "calls every recorded model in ExecuTorch");
  const CountedOperators counted = CountAllBelow(fs::path(PTEPROOF_CORPUS_DIR) / "real/models");
  EXPECT_GE(counted.calls, 400);
}

class TemporaryMemoryOfAll : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TemporaryMemoryOfAll);  // without a collection

TEST_P(TemporaryMemoryOfAll, IsMeasuredForEachOperatorThatIsTakenForMeasured) {
  RecordProperty("slow", "calls every kernel of the wheel");
  const CountedOperators counted = CountAllBelow(GetParam());
  for (const std::string_view op : OperatorsOfWheel()) {
    EXPECT_EQ(memory::IsMeasured(op), counted.called.contains(std::string(op))) << op;
  }
}

INSTANTIATE_TEST_SUITE_P(Collection, TemporaryMemoryOfAll,
                         testing::ValuesIn(InCollection("corpus/exported/ops")), NameOfFolder);

}  // namespace
}  // namespace pteproof
