#include "cli/verbs/eval_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/verbs/evaluation.h"
#include "cli/verbs/tagged_calls.h"
#include "properties/oracles/random_recording.h"
#include "reference/graph/parse.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

// What was asked for, else what was recorded.
Semantics SemanticsOf(const EvalRequest& request, const Recording& recording) {
  if (!request.semantics.empty()) {
    return request.semantics == "hash" ? Semantics::kHash : Semantics::kReal;
  }
  return recording.sequences.empty() ? Semantics::kReal : recording.sequences.front().semantics;
}

using Subject = Result<std::unique_ptr<EvalSubject>, PartsFailure>;

Subject LoadModule(const std::string& file, Semantics semantics) {
  const auto bytes = LoadFile(file);
  if (!bytes) {
    return PartsFailure{ExitCode::kUnreadable,
                        fmt::format("{} cannot be read: {}", file, bytes.error().why)};
  }
  const auto* text = reinterpret_cast<const char*>(bytes.value().data());
  auto module = graph::Parse({text, bytes.value().size()});
  if (!module.ok()) {
    const graph::ParseError& error = module.error();
    return PartsFailure{ExitCode::kMalformed,
                        fmt::format("{}:{}:{}: {}", Quote(file, kLongestLine), error.line,
                                    error.column, Quote(error.message, kLongestLine))};
  }
  return ModuleSubject(std::move(module).value(), semantics);
}

ExitCode Fail(const PartsFailure& failure) {
  Complain(failure.why);
  return failure.code;
}

// Calls of the file named, or beside the program, or made up.
Result<Recording, std::string> FindRecording(const EvalRequest& request) {
  if (!request.calls.empty()) return ReadRecording(request.calls);
  const fs::path beside = fs::path(request.file).parent_path() / "calls.json";
  if (request.engine && !fs::exists(beside)) {
    Recording made_up;
    made_up.made_up = true;
    return made_up;
  }
  auto recording = ReadRecording(beside);
  if (recording.ok()) return recording;
  return recording.error() + "; say where the calls are with --calls FILE";
}

ExitCode RunModule(const EvalRequest& request, const Recording& recording) {
  if (request.engine) {
    return Fail({ExitCode::kUsage,
                 "a Module is not planned yet: write a program of it with 'pteproof plan'"});
  }
  const Semantics semantics = SemanticsOf(request, recording);
  const Subject subject = LoadModule(request.file, semantics);
  if (!subject.ok()) return Fail(subject.error());
  return Evaluate(request, recording, semantics, *subject.value());
}

ExitCode RunProgram(const EvalRequest& request, Recording recording) {
  const fs::path folder = fs::path(request.file).parent_path();
  PartsRequest asked{request.file, request.data, request.manifest, request.no_manifest};
  if (recording.data) asked.data.push_back((folder / *recording.data).string());
  auto loaded = LoadParts(asked);
  if (!loaded.ok()) return Fail(loaded.error());
  ProgramParts parts = std::move(loaded).value();
  if (recording.made_up) {
    const bool stated = parts.manifest != nullptr && parts.manifest->policy.has_value();
    recording = RandomRecording(parts.source(), request.seed,
                                stated ? *parts.manifest->policy : Policy::kPrivate);
  }
  const Semantics semantics = SemanticsOf(request, recording);
  const LoaderChoice loader = {request.policy, request.all_first};
  const RunMode mode = request.engine ? request.engine->mode : RunMode::kPrivateStorage;
  switch (mode) {
    case RunMode::kTagged:
      return MakeTaggedCalls(request, recording, semantics, parts);
    case RunMode::kPlanned:
      return Evaluate(request, recording, semantics,
                      *PlannedSubject(std::move(parts), semantics, loader, *request.engine));
    case RunMode::kPrivateStorage:
      break;
  }
  return Evaluate(request, recording, semantics,
                  *ProgramSubject(std::move(parts), semantics, loader));
}

}  // namespace

ExitCode RunEval(const EvalRequest& request) {
  auto recording = FindRecording(request);
  if (!recording.ok()) return Fail({ExitCode::kUnreadable, recording.error()});
  if (fs::path(request.file).extension() == ".module") {
    return RunModule(request, recording.value());
  }
  return RunProgram(request, std::move(recording).value());
}

}  // namespace pteproof
