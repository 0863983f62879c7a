#include "cli/eval_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/eval_subject.h"
#include "cli/load_file.h"
#include "cli/load_manifest.h"
#include "cli/output.h"
#include "cli/quote.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "reference/graph/parse.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {
namespace {

struct Tally {
  int agree = 0;
  int differ = 0;
  int not_compared = 0;
  std::map<std::string, int> unknown;  // calls by operator
};

uint64_t DigestOfDatum(const Datum& datum) {
  if (const auto* tensor = std::get_if<TensorValue>(&datum)) return DigestOf(*tensor);
  if (const auto* integer = std::get_if<int64_t>(&datum)) return static_cast<uint64_t>(*integer);
  if (const auto* real = std::get_if<double>(&datum)) return DigestOf(fmt::format("{}", *real));
  if (const auto* text = std::get_if<std::string>(&datum)) return DigestOf(std::string_view(*text));
  const auto* flag = std::get_if<bool>(&datum);
  return flag == nullptr ? 0 : 1 + static_cast<uint64_t>(*flag);
}

class Evaluation {
 public:
  Evaluation(const EvalRequest& request, const Recording& recording, EvalSubject& subject)
      : request_(request), recording_(recording), subject_(subject) {}

  ExitCode Run() {
    for (const RecordedSequence& sequence : recording_.sequences) RunSequence(sequence);
    std::string summary =
        fmt::format("{} calls agree, {} differ, {} have nothing to be compared with\n",
                    tally_.agree, tally_.differ, tally_.not_compared);
    for (const auto& [op, calls] : tally_.unknown) {
      summary +=
          fmt::format("{} calls stop at {}, which the reference does not know\n", calls, Quote(op));
    }
    WriteOutput(summary);
    if (tally_.differ > 0) return ExitCode::kUnsafe;
    return tally_.unknown.empty() ? ExitCode::kSafe : ExitCode::kUndecided;
  }

 private:
  void RunSequence(const RecordedSequence& sequence) {
    subject_.Restart(sequence);
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      const RecordedCall& call = sequence.calls[c];
      if (!subject_.HasMethod(call.method)) {
        Row(sequence, c, "differs", "there is no such method");
        ++tally_.differ;
      } else {
        Judge(sequence, c, subject_.Call(call.method, call.inputs));
      }
    }
  }

  void Judge(const RecordedSequence& sequence, size_t c,
             const Result<std::vector<Datum>, EvalFailure>& outcome) {
    const RecordedCall asked = WithTruth(sequence.calls[c]);
    if (!outcome.ok() && outcome.error().unknown && asked.truth != Truth::kSkip) {
      ++tally_.unknown[outcome.error().op];
      return Row(sequence, c, "unknown", outcome.error().op);
    }
    if (asked.truth == Truth::kSkip) {
      ++tally_.not_compared;
      const bool shows = request_.semantics == "hash" && outcome.ok();
      return Row(sequence, c, shows ? "mixed" : "skipped", shows ? Digests(outcome.value()) : "");
    }
    const auto difference = outcome.ok()
                                ? DifferenceFromTruth(asked, outcome.value(), recording_.tolerance)
                                : std::optional(outcome.error().story);
    ++(difference ? tally_.differ : tally_.agree);
    Row(sequence, c, difference ? "differs" : "agrees", difference.value_or(""));
  }

  static std::string Digests(const std::vector<Datum>& outputs) {
    std::string text;
    for (const Datum& output : outputs) {
      text += fmt::format("{}{:016x}", text.empty() ? "" : " ", DigestOfDatum(output));
    }
    return text;
  }

  // The call with the truth that was asked for. What was not recorded is not compared.
  [[nodiscard]] RecordedCall WithTruth(const RecordedCall& call) const {
    RecordedCall asked = call;
    if (request_.compare == "executorch") asked.truth = Truth::kExecutorch;
    if (request_.compare == "eager") asked.truth = Truth::kEager;
    if (request_.semantics == "hash") asked.truth = Truth::kSkip;
    const Truth truth = asked.truth.value_or(Truth::kExecutorch);
    asked.truth = truth;
    if (truth == Truth::kExecutorch && !call.executorch) asked.truth = Truth::kSkip;
    if (truth == Truth::kEager && !call.eager) asked.truth = Truth::kSkip;
    return asked;
  }

  void Row(const RecordedSequence& sequence, size_t c, std::string_view verdict,
           const std::string& why) const {
    if (request_.quiet && (verdict == "agrees" || verdict == "skipped")) return;
    const RecordedCall& call = sequence.calls[c];
    const std::string label = call.label.empty() ? "" : " (" + Quote(call.label) + ")";
    WriteOutput(fmt::format("{:<8} {}[{}] {}{}{}\n", verdict, Quote(sequence.name), c,
                            Quote(call.method), label,
                            why.empty() ? "" : ": " + Quote(why, kLongestLine)));
  }

  const EvalRequest& request_;
  const Recording& recording_;
  EvalSubject& subject_;
  Tally tally_;
};

struct Failure {
  ExitCode code;
  std::string why;
};
using Subject = Result<std::unique_ptr<EvalSubject>, Failure>;

Failure FailureOf(const std::string& file, const LoadFailure& failure) {
  if (failure.outcome == Outcome::kUnreadable) {
    return {ExitCode::kUnreadable, fmt::format("{} cannot be read: {}", file, failure.error)};
  }
  return {ExitCode::kMalformed, fmt::format("{} is malformed; 'pteproof check' says where", file)};
}

Subject LoadModule(const std::string& file, Semantics semantics) {
  const auto bytes = LoadFile(file);
  if (!bytes) {
    return Failure{ExitCode::kUnreadable,
                   fmt::format("{} cannot be read: {}", file, bytes.error().why)};
  }
  const auto* text = reinterpret_cast<const char*>(bytes.value().data());
  auto module = graph::Parse({text, bytes.value().size()});
  if (!module.ok()) {
    const graph::ParseError& error = module.error();
    return Failure{ExitCode::kMalformed,
                   fmt::format("{}:{}:{}: {}", file, error.line, error.column, error.message)};
  }
  return ModuleSubject(std::move(module).value(), semantics);
}

Subject LoadSubject(const EvalRequest& request, const Recording& recording) {
  const Semantics semantics = request.semantics == "hash" ? Semantics::kHash : Semantics::kReal;
  const std::filesystem::path path(request.file);
  if (path.extension() == ".module") return LoadModule(request.file, semantics);
  auto program = LoadProgram(request.file);
  if (!program) return FailureOf(request.file, program.error());
  ProgramParts parts{std::move(program).value(), nullptr, nullptr};
  if (const std::string beside = ManifestBeside(request.file); !beside.empty()) {
    auto manifest = LoadManifest(beside);
    if (!manifest) return Failure{ExitCode::kUsage, manifest.error().error};
    parts.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  if (recording.data) {
    const std::string data_path = (path.parent_path() / *recording.data).string();
    auto data = LoadData(data_path);
    if (!data) return FailureOf(data_path, data.error());
    parts.data = std::make_unique<const LoadedData>(std::move(data).value());
  }
  return ProgramSubject(std::move(parts), semantics);
}

}  // namespace

ExitCode RunEval(const EvalRequest& request) {
  const std::filesystem::path folder = std::filesystem::path(request.file).parent_path();
  const auto recording = ReadRecording(
      request.calls.empty() ? folder / "calls.json" : std::filesystem::path(request.calls));
  if (!recording.ok()) {
    Complain(recording.error());
    return ExitCode::kUnreadable;
  }
  const Subject subject = LoadSubject(request, recording.value());
  if (!subject.ok()) {
    Complain(subject.error().why);
    return subject.error().code;
  }
  return Evaluation(request, recording.value(), *subject.value()).Run();
}

}  // namespace pteproof
