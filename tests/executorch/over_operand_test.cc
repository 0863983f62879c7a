// Operators of the table bear a result over an operand in ExecuTorch's kernels: recorded calls of
// single operators, made again with the result in the operand's place.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "reference/op_over_operand.h"
#include "reference/op_schema.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::Job;

struct Bearing {
  int calls = 0;
  int equal = 0;  // with the result over the operand and apart from it
};

bool HaveOneForm(const Method& method, const Tensor& a, const Tensor& b) {
  return a.planned && b.planned && a.dtype == b.dtype && a.nbytes > 0 &&
         std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order));
}

// One program for each operand that is read element by element and has the result's form, with the
// result in its place. `program` holds one method of one kernel call.
std::vector<Program> Overlaid(const Program& program) {
  std::vector<Program> variants;
  const Method& method = program.methods.front();
  if (method.instructions.size() != 1) return variants;
  const Instruction& call = method.instructions.front();
  if (call.kind != InstructionKind::kKernelCall) return variants;
  const OpSchema* schema = method.operators[static_cast<size_t>(call.target)].schema;
  const auto args = method.Ints(call.args);
  if (schema == nullptr) return variants;
  const auto is_result = [](const ArgSchema& arg) {
    return arg.out &&
           arg.access == Access::kWrite;  // statistics that no kernel writes do not count
  };
  if (std::ranges::count_if(schema->args, is_result) != 1) return variants;
  const auto out = std::ranges::find_if(schema->args, is_result) - schema->args.begin();
  const int32_t result = args[static_cast<size_t>(out)];
  for (size_t a = 0; a < schema->args.size(); ++a) {
    if (!schema->args[a].elementwise || method.TensorOf(args[a]) == nullptr) continue;
    const Tensor& operand = *method.TensorOf(args[a]);
    if (method.TensorOf(result) == nullptr) continue;
    if (!HaveOneForm(method, operand, *method.TensorOf(result))) continue;
    // Another argument in the operand's bytes is read element by element too, or nothing is told.
    Program variant = program;
    Method& changed = variant.methods.front();
    Tensor& moved = changed.tensors[changed.values[static_cast<size_t>(result)].tensor];
    moved.bank = operand.bank;
    moved.offset = operand.offset;
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::optional<Job> JobOf(const Program& program, const RecordedCall& call, Policy policy) {
  auto written = WriteProgram(program);
  if (!written.ok()) return std::nullopt;
  Job job;
  job.program = std::move(written).value();
  job.banks = policy;
  job.calls.push_back({program.methods.front().name, call.inputs});
  return job;
}

void TryCall(const Program& program, const RecordedCall& call, Policy policy,
             std::map<std::string, Bearing>& bearings) {
  std::vector<Job> jobs;
  const auto add = [&](const Program& each) {
    if (auto job = JobOf(each, call, policy)) jobs.push_back(*std::move(job));
  };
  const std::vector<Program> variants = Overlaid(program);
  if (variants.empty()) return;
  add(program);
  for (const Program& variant : variants) add(variant);
  const auto answers = witness::Ask(jobs);
  const auto made = [&](size_t n) {
    return answers[n].load_error.empty() && answers[n].calls.front().error.empty();
  };
  if (answers.empty() || !made(0)) return;
  const Method& method = program.methods.front();
  const auto target = static_cast<size_t>(method.instructions.front().target);
  Bearing& bearing = bearings[method.operators[target].name];
  for (size_t n = 1; n < answers.size(); ++n) {
    ++bearing.calls;
    const bool same =
        made(n) && SameData(answers[0].calls.front().outputs, answers[n].calls.front().outputs);
    bearing.equal += same ? 1 : 0;
  }
}

void TryRecording(const fs::path& calls, std::map<std::string, Bearing>& bearings) {
  const auto recording = ReadRecording(calls);
  ASSERT_TRUE(recording.ok()) << recording.error();
  const auto bytes = ReadBytes(calls.parent_path() / recording.value().program);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  for (const RecordedSequence& sequence : recording.value().sequences) {
    for (const RecordedCall& call : sequence.calls) {
      const auto& methods = read.value().methods;
      const auto method = std::ranges::find(methods, call.method, &Method::name);
      const bool random = call.truth == Truth::kShape || call.truth == Truth::kSkip;
      if (!call.executorch.has_value() || method == methods.end() || random) continue;
      Program one = read.value();
      one.methods = {*method};
      TryCall(one, call, sequence.policy, bearings);
    }
  }
}

struct RecordedOperators {
  std::string name;
  fs::path root;
  size_t operators;  // at least
};

void PrintTo(const RecordedOperators& folder, std::ostream* out) {
  *out << folder.name;
}

std::vector<RecordedOperators> OwnRecordings() {
  return {{"operators", fs::path(PTEPROOF_CORPUS_DIR) / "operators", 5}};
}

std::vector<RecordedOperators> RecordingsOfCollection() {
  std::vector<RecordedOperators> folders;
  if (!IsCampaign()) return folders;
  for (const fs::path& root : InCollection("corpus/exported")) {
    folders.push_back({"operators", root / "ops", 100});
  }
  return folders;
}

class ResultsOverOperands : public testing::TestWithParam<RecordedOperators> {};

TEST_P(ResultsOverOperands, AreBorneIfTheTableSaysSo) {
  std::map<std::string, Bearing> bearings;
  for (const fs::path& path : FilesBelow(GetParam().root)) {
    if (path.filename() == "calls.json") TryRecording(path, bearings);
  }
  size_t borne = 0;
  for (const auto& [op, bearing] : bearings) {
    if (std::getenv("PTEPROOF_PRINT_BORNE") != nullptr) {
      printf("%s %d %d\n", op.c_str(), bearing.equal, bearing.calls);
    }
    if (!BearsResultOverOperand(op)) continue;
    ++borne;
    EXPECT_EQ(bearing.equal, bearing.calls) << op;
  }
  EXPECT_GE(borne, GetParam().operators);
}

std::string NameOfRecordings(const testing::TestParamInfo<RecordedOperators>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Own, ResultsOverOperands, testing::ValuesIn(OwnRecordings()),
                         NameOfRecordings);
INSTANTIATE_TEST_SUITE_P(Collection, ResultsOverOperands,
                         testing::ValuesIn(RecordingsOfCollection()), NameOfRecordings);

}  // namespace
}  // namespace pteproof
