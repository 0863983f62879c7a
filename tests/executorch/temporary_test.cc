// What kernels ask the temporary allocator for, against what the program tells of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/read.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/collection.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using witness::CountOf;
using witness::Job;

std::string Sz(const Method& m, int32_t v) {
  const Value& value = m.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) {
    const Tensor& t = m.tensors[value.tensor];
    return fmt::format("{}{}", ElementSize(t.dtype),
                       fmt::format("[{}]{}", fmt::join(m.Ints(t.sizes), ","),
                                   m.Ints(t.dim_order).empty()
                                       ? ""
                                       : fmt::format("o{}", fmt::join(m.Ints(t.dim_order), ""))));
  }
  if (value.kind == ValueKind::kInt) return fmt::format("{}", value.integer);
  if (value.kind == ValueKind::kBool) return value.integer ? "T" : "F";
  if (value.kind == ValueKind::kIntList) return fmt::format("L{}", value.items.count);
  if (value.kind == ValueKind::kNull) return "None";
  return fmt::format("k{}", static_cast<int>(value.kind));
}

class TemporaryMemory : public testing::TestWithParam<fs::path> {};

TEST_P(TemporaryMemory, Dump) {
  for (const fs::path& path : FilesBelow(GetParam())) {
    if (path.filename() != "calls.json") continue;
    const auto recording = ReadRecording(path);
    if (!recording.ok() || recording.value().program.empty()) continue;
    const auto bytes = ReadBytes(path.parent_path() / recording.value().program);
    const auto program = ReadProgram(bytes);
    if (!program.ok()) continue;
    std::vector<Job> jobs;
    std::vector<const RecordedCall*> calls;
    for (const auto& sequence : recording.value().sequences) {
      for (const RecordedCall& call : sequence.calls) {
        Job& job = jobs.emplace_back();
        job.program = bytes;
        if (recording.value().data)
          job.data = ReadBytes(path.parent_path() / *recording.value().data);
        job.calls.push_back({call.method, call.inputs});
        job.count = CountOf::kTemporary;
        calls.push_back(&call);
      }
    }
    const auto answers = witness::Ask(jobs);
    for (size_t j = 0; j < jobs.size(); ++j) {
      if (answers[j].calls.empty()) continue;
      const auto& outcome = answers[j].calls[0];
      std::string told;
      for (const Datum& d : outcome.outputs) told += fmt::format(" {}", std::get<int64_t>(d));
      const Method* m = nullptr;
      for (const Method& each : program.value().methods)
        if (each.name == calls[j]->method) m = &each;
      if (m == nullptr) continue;
      std::string args;
      if (m->instructions.size() < 4 && !told.empty()) {
        for (const Instruction& i : m->instructions) {
          if (i.kind != InstructionKind::kKernelCall) continue;
          args += m->operators[static_cast<size_t>(i.target)].name + "(";
          for (const int32_t v : m->Ints(i.args)) args += Sz(*m, v) + " ";
          args += ") ";
        }
      }
      fmt::print("TMP {} {} err='{}' told:{} {}\n", path.parent_path().filename().string(),
                 calls[j]->method, outcome.error, told, args);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Own, TemporaryMemory,
                         testing::Values(fs::path(PTEPROOF_CORPUS_DIR) / "operators"));
INSTANTIATE_TEST_SUITE_P(Collection, TemporaryMemory,
                         testing::ValuesIn(InCollection("corpus/exported/ops")), NameOfFolder);

}  // namespace
}  // namespace pteproof
