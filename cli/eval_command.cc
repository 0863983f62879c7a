#include "cli/eval_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cli/load_program.h"
#include "cli/output.h"
#include "cli/paint.h"
#include "cli/quote.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/replay.h"

namespace pteproof {
namespace {

struct Tally {
  int agree = 0;
  int differ = 0;
  int not_compared = 0;
  std::map<std::string, int> unknown;  // calls by operator
};

class Evaluation {
 public:
  Evaluation(const EvalRequest& request, const Program& program, const DataFile* data,
             const Recording& recording)
      : request_(request), program_(program), data_(data), recording_(recording) {}

  ExitCode Run() {
    for (const RecordedSequence& sequence : recording_.sequences) RunSequence(sequence);
    std::string summary =
        fmt::format("{} calls agree, {} differ, {} have nothing to be compared with", tally_.agree,
                    tally_.differ, tally_.not_compared);
    for (const auto& [op, calls] : tally_.unknown) {
      summary +=
          fmt::format("\n{} calls stop at {}, which the reference does not know", calls, Quote(op));
    }
    WriteOutput(summary + "\n");
    if (tally_.differ > 0) return ExitCode::kUnsafe;
    return tally_.unknown.empty() ? ExitCode::kSafe : ExitCode::kUndecided;
  }

 private:
  void RunSequence(const RecordedSequence& sequence) {
    Replay replay(program_, sequence.shares_banks ? Policy::kShareAll : Policy::kPrivate, data_);
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      const RecordedCall& call = sequence.calls[c];
      const int32_t method = replay.MethodNamed(call.method);
      if (method < 0) {
        Row(sequence, c, "differs", "the program has no such method");
        ++tally_.differ;
        continue;
      }
      Judge(sequence, c, replay.Call(method, call.inputs));
    }
  }

  void Judge(const RecordedSequence& sequence, size_t c,
             const Result<std::vector<Datum>, ReplayError>& outcome) {
    const RecordedCall& call = sequence.calls[c];
    const RecordedCall asked = WithTruth(call);
    if (asked.truth == Truth::kSkip) {
      ++tally_.not_compared;
      return Row(sequence, c, "skipped", "");
    }
    if (!outcome.ok() && outcome.error().kind == ReplayError::Kind::kUnknown) {
      ++tally_.unknown[outcome.error().op];
      return Row(sequence, c, "unknown", outcome.error().op);
    }
    const auto difference =
        outcome.ok() ? DifferenceFromTruth(asked, outcome.value(), recording_.tolerance)
                     : std::optional(fmt::format("instruction {}: {}", outcome.error().instruction,
                                                 outcome.error().story));
    ++(difference ? tally_.differ : tally_.agree);
    Row(sequence, c, difference ? "differs" : "agrees", difference.value_or(""));
  }

  // The call with the truth that was asked for. What was not recorded is not compared.
  RecordedCall WithTruth(const RecordedCall& call) const {
    RecordedCall asked = call;
    if (request_.compare == "executorch") asked.truth = Truth::kExecutorch;
    if (request_.compare == "eager") asked.truth = Truth::kEager;
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
  const Program& program_;
  const DataFile* data_;
  const Recording& recording_;
  Tally tally_;
};

ExitCode Fail(const std::string& file, const LoadFailure& failure) {
  if (failure.outcome == Outcome::kUnreadable) {
    Complain(fmt::format("{} cannot be read: {}", file, failure.error));
    return ExitCode::kUnreadable;
  }
  Complain(fmt::format("{} is malformed; 'pteproof check' says where", file));
  return ExitCode::kMalformed;
}

}  // namespace

ExitCode RunEval(const EvalRequest& request) {
  const auto loaded = LoadProgram(request.file);
  if (!loaded) return Fail(request.file, loaded.error());
  const std::filesystem::path folder = std::filesystem::path(request.file).parent_path();
  const auto recording = ReadRecording(
      request.calls.empty() ? folder / "calls.json" : std::filesystem::path(request.calls));
  if (!recording.ok()) {
    Complain(recording.error());
    return ExitCode::kUnreadable;
  }
  if (!recording.value().data) {
    return Evaluation(request, loaded.value().program, nullptr, recording.value()).Run();
  }
  const std::string data_path = (folder / *recording.value().data).string();
  const auto data = LoadData(data_path);
  if (!data) return Fail(data_path, data.error());
  return Evaluation(request, loaded.value().program, &data.value().file, recording.value()).Run();
}

}  // namespace pteproof
