#include "properties/differential/stored_case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/file_name.h"
#include "planner/plan.h"
#include "properties/differential/settings.h"
#include "properties/differential/trace.h"
#include "properties/oracles/write_recording.h"
#include "pteproof/write.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof {
namespace {

constexpr const char* kModuleFile = "case.module";
constexpr const char* kProgramFile = "case.pte";
constexpr const char* kSettingFile = "setting.txt";

std::vector<std::byte> BytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Recording RecordingOf(const StoredCase& stored, const Setting& setting) {
  Semantics semantics = setting.ways.semantics;
  if (IsOpaque(stored.c.module)) semantics = Semantics::kHash;
  // Without mutation, inputs that a method stores to are outputs, as in the program.
  const auto functional = graph::Functionalize(stored.c.module);
  const graph::Module& module = functional.ok() ? functional.value() : stored.c.module;
  const Trace trace = RunAll(module, stored.c.calls, OptionsFor(semantics));
  RecordedSequence sequence;
  sequence.name = setting.name;
  sequence.policy = setting.options.policy;
  sequence.loads_all_first = !setting.ways.lazy;
  sequence.semantics = semantics;
  for (size_t k = 0; k < stored.c.calls.size(); ++k) {
    RecordedCall call;
    call.method = stored.c.module.methods[stored.c.calls[k].method].name;
    call.inputs = stored.c.calls[k].inputs;
    call.truth = trace.calls[k].ok() ? Truth::kEager : Truth::kSkip;
    if (trace.calls[k].ok()) call.eager = trace.calls[k].value().outputs;
    sequence.calls.push_back(std::move(call));
  }
  Recording recording;
  recording.program = kProgramFile;
  if (semantics == Semantics::kHash) recording.tolerance = Tolerance{};
  recording.sequences.push_back(std::move(sequence));
  return recording;
}

std::optional<std::string> TextIn(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

Result<std::vector<generators::RandomCall>, std::string> CallsIn(const std::filesystem::path& file,
                                                                 const graph::Module& module) {
  auto recording = ReadRecording(file);
  if (!recording.ok()) return recording.error();
  std::vector<generators::RandomCall> calls;
  for (RecordedSequence& sequence : recording.value().sequences) {
    for (RecordedCall& call : sequence.calls) {
      const auto method = std::ranges::find(module.methods, call.method, &graph::Method::name);
      if (method == module.methods.end()) {
        return FileName(file) + ": the Module has no method '" + call.method + "'";
      }
      calls.push_back(
          {static_cast<size_t>(method - module.methods.begin()), std::move(call.inputs)});
    }
  }
  return calls;
}

}  // namespace

std::map<std::string, std::vector<std::byte>> FilesOf(const StoredCase& stored) {
  const Setting setting = SettingOf(stored.setting);
  std::map<std::string, std::vector<std::byte>> files;
  files[kModuleFile] = BytesOfText(graph::Print(stored.c.module));
  files[kSettingFile] = BytesOfText(std::to_string(stored.setting) + "\n");
  WrittenRecording calls = WriteRecording(RecordingOf(stored, setting));
  files["calls.json"] = BytesOfText(calls.json);
  files["calls.bin"] = std::move(calls.bin);
  const auto planned = planner::Plan(stored.c.module, setting.options);
  if (!planned.ok()) return files;
  auto program = WriteProgram(planned.value().program);
  if (program.ok()) files[kProgramFile] = std::move(program).value();
  return files;
}

Result<StoredCase, std::string> ReadStoredCase(const std::string& folder) {
  const std::filesystem::path base = FilePath(folder);
  const auto unreadable = [&](const char* file) {
    return FileName(base / file) + ": cannot be read";
  };
  const auto text = TextIn(base / kModuleFile);
  if (!text) return unreadable(kModuleFile);
  auto module = graph::Parse(*text);
  if (!module.ok()) return FileName(base / kModuleFile) + ": " + module.error().message;
  if (const auto problems = graph::Validate(module.value()); !problems.empty()) {
    return FileName(base / kModuleFile) + ": " + problems.front().explanation;
  }
  const auto number = TextIn(base / kSettingFile);
  if (!number) return unreadable(kSettingFile);
  StoredCase stored;
  const auto [end, error] =
      std::from_chars(number->data(), number->data() + number->size(), stored.setting);
  if (error != std::errc()) return FileName(base / kSettingFile) + ": is not a number";
  auto calls = CallsIn(base / "calls.json", module.value());
  if (!calls.ok()) return calls.error();
  stored.c = {std::move(module).value(), std::move(calls).value()};
  return stored;
}

}  // namespace pteproof
