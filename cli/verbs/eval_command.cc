#include "cli/verbs/eval_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/checked_math.h"
#include "base/file_name.h"
#include "base/work.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/load/given_inputs.h"
#include "cli/load/load_module.h"
#include "cli/render/trust_words.h"
#include "cli/verbs/evaluation.h"
#include "cli/verbs/tagged_calls.h"
#include "properties/oracles/opening_calls.h"
#include "properties/oracles/random_inputs.h"
#include "properties/oracles/random_recording.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/execute/run_limits.h"

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

fs::path CallsOf(const EvalRequest& request) {
  if (!request.calls.empty()) return FilePath(request.calls);
  return FilePath(request.file).parent_path() / "calls.json";
}

// Calls of the file named, or beside the program, or none so far: they are to be made up, or of
// given inputs.
Result<Recording, std::string> FindRecording(const EvalRequest& request) {
  const fs::path calls = CallsOf(request);
  if (!request.calls.empty()) return ReadRecording(calls);
  if (!request.inputs.empty() || (request.engine && !fs::exists(calls))) {
    Recording made_up;
    made_up.made_up = true;
    return made_up;
  }
  auto recording = ReadRecording(calls);
  if (recording.ok()) return recording;
  return recording.error() + "; say where the calls are with --calls FILE";
}

CallFiles FilesOf(const EvalRequest& request, const Recording& recording,
                  const ManifestSource& manifest) {
  const std::string calls = recording.made_up ? request.inputs : FileName(CallsOf(request));
  return {request.file, calls, manifest.path};
}

ExitCode RunModule(const EvalRequest& request, Recording recording) {
  if (request.engine) {
    return Fail({ExitCode::kUsage,
                 "a Module is not planned yet: write a program of it with 'pteproof plan'"});
  }
  if (!request.inputs.empty()) {
    auto given = InputsIn(request.inputs, nullptr, Policy::kPrivate);
    if (!given.ok()) return Fail({ExitCode::kUnreadable, given.error()});
    recording = std::move(given).value();
  }
  const Semantics semantics = SemanticsOf(request, recording);
  auto module = LoadModule(request.file);
  if (!module.ok()) return Fail({module.error().code, module.error().why});
  return Evaluate(request, FilesOf(request, recording, {}), recording, semantics,
                  *ModuleSubject(std::move(module).value(), semantics));
}

Result<ProgramParts, PartsFailure> LoadPartsOf(const EvalRequest& request,
                                               const Recording& recording) {
  const fs::path folder = FilePath(request.file).parent_path();
  PartsRequest asked{request.file, request.data, request.manifest};
  if (recording.data) asked.data.push_back(FileName(folder / FilePath(*recording.data)));
  return LoadParts(asked);
}

// Inputs that were given, or random ones.
Result<Recording, std::string> MakeUp(const EvalRequest& request, const ProgramParts& parts) {
  const Manifest* manifest = parts.manifest.get();
  const bool stated = manifest != nullptr && manifest->policy.has_value();
  const Policy policy = stated ? *manifest->policy : Policy::kPrivate;
  if (!request.inputs.empty()) return InputsIn(request.inputs, &parts.source(), policy);
  return RandomRecording(parts.source(), request.seed, policy, manifest);
}

// Results of mixed calls that nobody knows have the upper bounds for sizes, so that what was
// recorded with smaller ones would not fit them.
void RaiseToBounds(const Program& program, Recording& recording) {
  for (RecordedSequence& sequence : recording.sequences) {
    if (sequence.semantics == Semantics::kHash) continue;
    for (RecordedCall& call : sequence.calls) {
      const auto method = std::ranges::find(program.methods, call.method, &Method::name);
      if (method == program.methods.end() || !HasOpaqueCall(*method)) continue;
      call.inputs = AtBounds(*method, call.inputs);
    }
  }
}

// The calls to make. Inputs that no file holds take what memory the program asks for.
Result<Recording, PartsFailure> CallsFor(const EvalRequest& request, Recording recording,
                                         const ProgramParts& parts) {
  const WithinLimits limits;
  try {
    if (recording.made_up) {
      auto made_up = MakeUp(request, parts);
      if (!made_up.ok()) return PartsFailure{ExitCode::kUnreadable, made_up.error()};
      recording = std::move(made_up).value();
    }
    AddOpeningCalls(parts.source(), parts.manifest.get(), recording);
    if (SemanticsOf(request, recording) == Semantics::kHash) {
      RaiseToBounds(parts.source(), recording);
    }
    return recording;
  } catch (const OverLimit& over) {
    return PartsFailure{ExitCode::kInternal,
                        request.file + ": no inputs are made up: " + ExplanationOf(over)};
  }
}

// The limits of all calls together: those of some calls, and a little more for each that is
// recorded.
RunLimits LimitsOfAll(const EvalRequest& request, const Recording& recording,
                      const ProgramParts& parts) {
  constexpr int64_t kFull = 4;
  constexpr int64_t kForCall = int64_t{1} << 20;
  int64_t calls = 0;
  for (const RecordedSequence& sequence : recording.sequences) {
    calls += static_cast<int64_t>(sequence.calls.size());
  }
  const RunLimits asked = request.engine ? request.engine->limits : RunLimits();
  RunLimits limits = LimitsOf(parts.source(), parts.data_file(), asked);
  // Who asks for a limit on each call has the calls for all of it.
  const int64_t full = asked.work > 0 ? std::max(calls, kFull) : kFull;
  limits.work = CappedProduct({limits.work, full});
  limits.work = CheckedAdd(limits.work, CappedProduct({calls, kForCall}))
                    .value_or(std::numeric_limits<int64_t>::max());
  return limits;
}

ExitCode RunReading(const EvalRequest& request, Recording given, ProgramParts parts) {
  auto calls = CallsFor(request, std::move(given), parts);
  if (!calls.ok()) return Fail(calls.error());
  const Recording& recording = calls.value();
  const Semantics semantics = SemanticsOf(request, recording);
  const CallFiles files = FilesOf(request, recording, parts.manifest_source);
  const LoaderChoice loader = {request.policy, request.all_first};
  const RunMode mode = request.engine ? request.engine->mode : RunMode::kPrivateStorage;
  const RunLimits most = LimitsOfAll(request, recording, parts);
  const WithinLimits limits(most.MakeMemoryCount(), most.work);
  switch (mode) {
    case RunMode::kTagged:
      return MakeTaggedCalls(request, files, recording, semantics, parts);
    case RunMode::kPlanned:
      return Evaluate(request, files, recording, semantics,
                      *PlannedSubject(std::move(parts), semantics, loader, *request.engine));
    case RunMode::kPrivateStorage:
      break;
  }
  return Evaluate(request, files, recording, semantics,
                  *ProgramSubject(std::move(parts), semantics, loader));
}

bool HasRange(const ManifestMethod& method) {
  return method.inputs && std::ranges::any_of(*method.inputs, [](const ManifestInput& input) {
           return input.sizes.has_value() || input.range.has_value();
         });
}

// Whether calls depend on the manifest: on the names of state; made-up ones on the loader, the
// protocol, and the inputs that it states too.
bool SaysOfCalls(const Program& program, const Manifest& manifest, const EvalRequest& request,
                 const Recording& recording) {
  const bool asked = request.policy.has_value();
  const bool random = recording.made_up && request.inputs.empty();
  const bool chooses =
      recording.made_up && !asked && manifest.policy.value_or(Policy::kPrivate) != Policy::kPrivate;
  const bool orders =
      random ? manifest.calls.has_value() : !OpeningCalls(program, &manifest).empty();
  return chooses || orders || std::ranges::any_of(manifest.methods, [&](const auto& method) {
           return !method.second.values.empty() || (random && HasRange(method.second));
         });
}

// With a manifest that is not trusted the calls are made twice, and the worse reading decides.
ExitCode RunProgram(const EvalRequest& request, const Recording& recording) {
  auto loaded = LoadPartsOf(request, recording);
  if (!loaded.ok()) return Fail(loaded.error());
  ProgramParts parts = std::move(loaded).value();
  const ManifestSource source = parts.manifest_source;
  const bool twice =
      !source.trusted && SaysOfCalls(parts.source(), *parts.manifest, request, recording);
  const ExitCode code = RunReading(request, recording, std::move(parts));
  if (!twice || code == ExitCode::kUnreadable) return code;
  EvalRequest of_file = request;
  of_file.manifest = {"", true, false, request.manifest.operators};
  of_file.quiet = request.quiet || !request.json;
  auto alone = LoadPartsOf(of_file, recording);
  if (!alone.ok()) return Fail(alone.error());
  if (!request.json) {
    WriteOutput(fmt::format("without {}, which is not trusted:\n",
                            Quote(FileName(FilePath(source.path).filename()), kLongestLine)));
  }
  const ExitCode worst = Worse(code, RunReading(of_file, recording, std::move(alone).value()));
  if (worst != code && !request.json) {
    WriteOutput(fmt::format("better {}\n", ByTheWordOf(source.path)));
  }
  return worst;
}

}  // namespace

ExitCode RunEval(const EvalRequest& request) {
  auto recording = FindRecording(request);
  if (!recording.ok()) return Fail({ExitCode::kUnreadable, recording.error()});
  if (FilePath(request.file).extension() == ".module") {
    return RunModule(request, recording.value());
  }
  return RunProgram(request, recording.value());
}

}  // namespace pteproof
