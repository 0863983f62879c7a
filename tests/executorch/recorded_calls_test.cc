// What was recorded of ExecuTorch is what the witness gives, for the files as they are and as our
// writer writes them anew.
#include "properties/oracles/recorded_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "properties/certify/shown_replan.h"
#include "properties/oracles/compare.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"
#include "tests/support/real_file.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::Answer;
using witness::Job;
using witness::Outcome;

// Calls that are made on one loaded program.
struct Run {
  std::string name;
  const RecordedSequence* sequence = nullptr;
  std::span<const RecordedCall> calls;
};

// Calls of single operators were recorded each for itself: one may fail, or end the process, and
// the next goes on.
std::vector<Run> RunsOf(const Recording& recording) {
  std::vector<Run> runs;
  for (const RecordedSequence& sequence : recording.sequences) {
    const std::span<const RecordedCall> calls = sequence.calls;
    const bool apart = !calls.empty() && !calls.front().op.empty();
    const size_t step = apart ? 1 : std::max<size_t>(calls.size(), 1);
    for (size_t i = 0; i == 0 || i < calls.size(); i += step) {
      runs.push_back(
          {sequence.name, &sequence, calls.subspan(i, std::min(step, calls.size() - i))});
      if (apart) runs.back().name += " " + calls[i].method;
    }
  }
  return runs;
}

std::vector<Job> JobsOf(std::span<const Run> runs, const std::vector<std::byte>& program,
                        const std::vector<std::byte>& data) {
  std::vector<Job> jobs;
  for (const Run& run : runs) {
    Job& job = jobs.emplace_back();
    job.program = program;
    job.data = data;
    job.banks = run.sequence->policy;
    job.loads_all_first = run.sequence->loads_all_first;
    for (const RecordedCall& call : run.calls) job.calls.push_back({call.method, call.inputs});
  }
  return jobs;
}

// The program read and written; empty when it is refused.
std::vector<std::byte> Rewritten(const std::vector<std::byte>& file) {
  const auto read = ReadProgram(file);
  if (!read.ok()) return {};
  auto written = WriteProgram(read.value());
  if (written.ok()) return std::move(written).value();
  ADD_FAILURE() << written.error();
  return {};
}

// The program with a smaller plan, or with that and all that a new plan may change besides; empty
// if it has none, or if its plan is not right to begin with.
std::vector<std::byte> Replanned(const std::vector<std::byte>& file, Policy policy, bool all) {
  const auto read = ReadProgram(file);
  if (!read.ok()) return {};
  const Report report = Check(read.value());
  if (report.verdicts[static_cast<size_t>(policy)] != Verdict::kSafe) return {};
  certify::ShownReplanOptions options;
  options.certify.old_report = &report;
  options.certify.calls = 1;
  if (all) {
    options.plan.in_place = true;
    options.plan.operators = {{"aten::index_put_", FindOperator("aten::index_put_")}};
    options.move_state = options.reorder = true;
  }
  certify::ShownReplan shown = certify::ReplanShown({&read.value(), nullptr, nullptr}, options);
  if (!shown.unwritable.empty() || !shown.certificate.holds()) return {};
  const planner::Replanned& replanned = shown.replanned;
  const bool smaller = std::ranges::any_of(
      replanned.banks, [](const auto& bank) { return bank.after < bank.before; });
  const bool changes = smaller || !replanned.updates.empty() || !replanned.dropped.empty();
  return changes ? std::move(shown.bytes) : std::vector<std::byte>();
}

// What the call should not have given; empty: all is well.
std::string Difference(const RecordedCall& recorded, const Outcome& outcome,
                       const Recording& recording) {
  const Truth truth = recorded.truth.value_or(Truth::kExecutorch);
  if (truth == Truth::kSkip) return {};
  if (!recorded.executorch.has_value()) return outcome.error.empty() ? "it should have failed" : "";
  if (!outcome.error.empty()) return outcome.error;
  return FirstDifference(*recorded.executorch, outcome.outputs, recording.tolerance,
                         truth != Truth::kShape)
      .value_or("");
}

// These operators' kernels are in libraries that need torch.
bool HasKernel(const RecordedCall& call) {
  return !call.op.starts_with("llama::") && !call.op.starts_with("preprocess::");
}

struct Tally {
  int compared = 0;
  int equal = 0;      // bit for bit
  int replanned = 0;  // sequences that were made on a smaller plan too
};

void CompareCall(const RecordedCall& call, const Outcome& outcome, const Recording& recording,
                 const std::string& where, Tally& tally) {
  if (!HasKernel(call)) {
    EXPECT_NE(outcome.error.find("not found"), std::string::npos) << where << outcome.error;
    return;
  }
  EXPECT_EQ(Difference(call, outcome, recording), "") << where;
  ++tally.compared;
  const bool failed = !call.executorch.has_value();
  if (failed || SameData(*call.executorch, outcome.outputs)) ++tally.equal;
}

void CompareAnswers(const Recording& recording, std::span<const Run> runs,
                    const std::vector<Answer>& answers, const std::string& what, Tally& tally) {
  ASSERT_EQ(answers.size(), runs.size());
  for (size_t r = 0; r < answers.size(); ++r) {
    const std::string where = what + ", " + runs[r].name;
    EXPECT_EQ(answers[r].load_error, "") << where;
    for (size_t c = 0; c < answers[r].calls.size(); ++c) {
      const RecordedCall& call = runs[r].calls[c];
      CompareCall(call, answers[r].calls[c], recording,
                  where + ", call " + std::to_string(c) + " of " + call.method + ": ", tally);
    }
  }
}

bool IsRandom(const RecordedCall& call) {
  return call.truth == Truth::kShape || call.truth == Truth::kSkip;
}

// Both files give the same, bit for bit.
void CompareWithOther(std::span<const Run> runs, std::span<const Answer> original,
                      std::span<const Answer> other, const std::string& what) {
  ASSERT_EQ(original.size(), other.size());
  for (size_t r = 0; r < runs.size(); ++r) {
    const std::string where = what + ", " + runs[r].name;
    EXPECT_EQ(original[r].load_error, other[r].load_error) << where;
    for (size_t c = 0; c < original[r].calls.size(); ++c) {
      EXPECT_EQ(original[r].calls[c].error, other[r].calls[c].error) << where;
      if (IsRandom(runs[r].calls[c])) continue;
      EXPECT_TRUE(SameData(original[r].calls[c].outputs, other[r].calls[c].outputs)) << where;
    }
  }
}

void CompareCase(const fs::path& calls, Tally& tally) {
  const auto recording = ReadRecording(calls);
  ASSERT_TRUE(recording.ok()) << recording.error();
  const fs::path folder = calls.parent_path();
  const auto program = ReadBytes(folder / recording.value().program);
  const auto data = recording.value().data ? ReadBytes(folder / *recording.value().data)
                                           : std::vector<std::byte>();
  const std::string what = folder.filename().string();
  const std::vector<Run> runs = RunsOf(recording.value());
  const std::vector<Answer> original = witness::Ask(JobsOf(runs, program, data));
  CompareAnswers(recording.value(), runs, original, what, tally);
  const auto rewritten = Rewritten(program);
  if (rewritten.empty()) return;
  CompareWithOther(runs, original, witness::Ask(JobsOf(runs, rewritten, data)),
                   what + ", rewritten");
  if (!IsCampaign()) return;  // the same kernels again
  std::map<std::pair<Policy, bool>, std::vector<std::byte>> plans;
  for (size_t r = 0; r < runs.size(); ++r) {
    for (const bool all : {false, true}) {
      const std::span<const Run> run = std::span(runs).subspan(r, 1);
      const Policy policy = runs[r].sequence->policy;
      const auto [plan, fresh] = plans.try_emplace({policy, all});
      if (fresh) plan->second = Replanned(program, policy, all);
      const std::vector<std::byte>& replanned = plan->second;
      if (replanned.empty()) continue;
      ++tally.replanned;
      CompareWithOther(run, std::span(original).subspan(r, 1),
                       witness::Ask(JobsOf(run, replanned, data)),
                       what + (all ? ", planned anew with all options" : ", planned anew"));
    }
  }
}

Tally CompareBelow(const fs::path& root) {
  Tally tally;
  for (const fs::path& path : FilesBelow(root)) {
    if (path.filename() == "calls.json") CompareCase(path, tally);
  }
  return tally;
}

struct RecordedFolder {
  std::string name;
  fs::path root;
  int calls;          // at least
  double equal;       // share of the calls that agree bit for bit, at least
  int replanned = 0;  // sequences, at least
};

void PrintTo(const RecordedFolder& folder, std::ostream* out) {
  *out << folder.name;
}

// In models the last bits of products depend on the machine.
std::vector<RecordedFolder> OwnFolders() {
  const fs::path corpus = PTEPROOF_CORPUS_DIR;
  return {{"models", corpus / "real/models", 540, 0.85, 20},
          {"operators", corpus / "operators", 764, 0.99}};
}

std::vector<RecordedFolder> FoldersOfCollection() {
  std::vector<RecordedFolder> folders;
  // The same kernels again: once is enough.
  if (!IsCampaign()) return folders;
  for (const fs::path& root : InCollection("corpus/exported")) {
    folders.push_back({"models", root / "models", 640, 0.85, 20});
    folders.push_back({"operators", root / "ops", 5700, 0.99});
  }
  return folders;
}

std::string NameOfRecorded(const testing::TestParamInfo<RecordedFolder>& info) {
  return info.param.name;
}

class RecordedCallsOfExecutorch : public testing::TestWithParam<RecordedFolder> {};

TEST_P(RecordedCallsOfExecutorch, AreWhatTheWitnessGives) {
  const Tally tally = CompareBelow(GetParam().root);
  EXPECT_GE(tally.compared, GetParam().calls);
  EXPECT_GE(tally.equal, GetParam().equal * tally.compared);
  EXPECT_GE(tally.replanned, IsCampaign() ? GetParam().replanned : 0);
  RecordProperty("replanned", std::to_string(tally.replanned));
}

INSTANTIATE_TEST_SUITE_P(Own, RecordedCallsOfExecutorch, testing::ValuesIn(OwnFolders()),
                         NameOfRecorded);
INSTANTIATE_TEST_SUITE_P(Collection, RecordedCallsOfExecutorch,
                         testing::ValuesIn(FoldersOfCollection()), NameOfRecorded);

}  // namespace
}  // namespace pteproof
