#include "cli/verbs/eval_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "cli/io/output.h"
#include "cli/load/load_module.h"
#include "cli/verbs/evaluation.h"
#include "cli/verbs/tagged_calls.h"
#include "properties/oracles/random_recording.h"

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
  auto module = LoadModule(request.file);
  if (!module.ok()) return Fail({module.error().code, module.error().why});
  return Evaluate(request, recording, semantics,
                  *ModuleSubject(std::move(module).value(), semantics));
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
