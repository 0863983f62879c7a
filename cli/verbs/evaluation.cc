#include "cli/verbs/evaluation.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/io/output.h"
#include "properties/oracles/compare.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {
namespace {

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
  Evaluation(const EvalRequest& request, const CallFiles& files, const Recording& recording,
             Semantics semantics, EvalSubject& subject)
      : request_(request),
        files_(files),
        recording_(recording),
        semantics_(semantics),
        subject_(subject) {}

  ExitCode Run() {
    for (const RecordedSequence& sequence : recording_.sequences) RunSequence(sequence);
    const ExitCode code = Code();
    WriteOutput(request_.json ? CountsJson(files_, WordOf(code), counts_)
                              : CountsText(counts_, request_.engine ? "runtime" : "reference"));
    return code;
  }

 private:
  [[nodiscard]] ExitCode Code() const {
    if (counts_.differ > 0) return ExitCode::kUnsafe;
    const bool any_made = counts_.agree + counts_.not_compared > 0;
    const bool all_made = counts_.unknown.empty() && counts_.not_made == 0 && counts_.stopped == 0;
    return any_made && all_made && counts_.not_admitted == 0 ? ExitCode::kSafe
                                                             : ExitCode::kUndecided;
  }

  static std::string_view WordOf(ExitCode code) {
    if (code == ExitCode::kSafe) return "agrees";
    return code == ExitCode::kUnsafe ? "differs" : "undecided";
  }

  void RunSequence(const RecordedSequence& sequence) {
    bool is_loaded = false;
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      const RecordedCall& call = sequence.calls[c];
      if (!subject_.HasMethod(call.method)) {
        Row(sequence, c, {"fails", "the method does not exist"});
        ++counts_.differ;
        continue;
      }
      if (!recording_.made_up) not_admitted_ = subject_.NotAdmitted(call.method, call.inputs);
      counts_.not_admitted += not_admitted_ ? 1 : 0;
      const auto unknown = subject_.UnknownIn(call.method);
      if (unknown) {
        Fail(sequence, c, *unknown);
      } else {
        if (!is_loaded) subject_.Restart(sequence);
        is_loaded = true;
        const auto outcome = subject_.Call(call.method, call.inputs);
        if (outcome.ok()) {
          Judge(sequence, c, outcome.value());
          continue;
        }
        Fail(sequence, c, outcome.error());
      }
      if (!HasState()) continue;
      if (recording_.made_up) {  // the calls after it are as good in a sequence of their own
        is_loaded = false;
        continue;
      }
      // What it would have left behind is not known: nothing can be said of those after it.
      counts_.not_made += static_cast<int>(sequence.calls.size() - c - 1);
      return;
    }
  }

  bool HasState() {
    if (!has_state_) has_state_ = subject_.HasState();
    return *has_state_;
  }

  // Only a recording excuses a call: it says that ExecuTorch refused it too, or expects nothing of
  // it. The latter says nothing of a program that cannot be run.
  [[nodiscard]] bool MayFail(const RecordedCall& call, EvalFailure::Kind kind) const {
    if (recording_.made_up || semantics_ != Semantics::kReal) return false;
    if (request_.compare == "executorch") return !call.executorch.has_value();
    return request_.compare == "truth" && call.truth == Truth::kSkip &&
           kind != EvalFailure::Kind::kProgram;
  }

  void Fail(const RecordedSequence& sequence, size_t c, const EvalFailure& failure) {
    using Kind = EvalFailure::Kind;
    if (MayFail(sequence.calls[c], failure.kind)) {
      ++counts_.not_compared;
      return Row(sequence, c, {"skipped", failure.explanation});
    }
    if (failure.kind == Kind::kUnknown) {
      ++counts_.unknown[failure.op];
      return Row(sequence, c, {"unknown", failure.op});
    }
    const bool inputs_to_blame = failure.kind == Kind::kCall && recording_.made_up;
    if (inputs_to_blame || failure.kind == Kind::kLimit) {
      ++counts_.stopped;
      return Row(sequence, c, {"stops", failure.explanation});
    }
    ++counts_.differ;
    Row(sequence, c, {"fails", failure.explanation});
  }

  void Judge(const RecordedSequence& sequence, size_t c, const EvalOutcome& outcome) {
    const RecordedCall asked = WithTruth(sequence.calls[c]);
    const bool mixed = semantics_ == Semantics::kHash;
    if (recording_.made_up || semantics_ != sequence.semantics) {
      ++counts_.not_compared;
      return Row(sequence, c,
                 {mixed ? "mixed" : "ran", "", {}, Digests(outcome, subject_.StateDigest())});
    }
    if (asked.truth == Truth::kSkip) {
      ++counts_.not_compared;
      return Row(sequence, c, {"skipped", ""});
    }
    const auto difference = DifferenceFromTruth(asked, outcome.outputs, BoundsOf(asked));
    ++(difference ? counts_.differ : counts_.agree);
    Row(sequence, c,
        {difference ? "differs" : "agrees", difference.value_or(""),
         CountSides(asked, outcome.outputs)});
  }

  // What was asked for, else what was recorded, else those of the method's operators.
  [[nodiscard]] Tolerance BoundsOf(const RecordedCall& call) const {
    if (request_.tolerance) return *request_.tolerance;
    return recording_.tolerance ? *recording_.tolerance : subject_.BoundsOf(call.method);
  }

  // None if there is one recorded output, or the two agree.
  std::optional<RecordedSides> CountSides(const RecordedCall& call,
                                          std::span<const Datum> outputs) {
    if (call.truth == Truth::kShape) return std::nullopt;
    const auto sides = SidesOf(call, outputs, BoundsOf(call));
    if (!sides) return std::nullopt;
    ++counts_.disputed;
    counts_.as_executorch += sides->executorch ? 1 : 0;
    counts_.as_eager += sides->eager ? 1 : 0;
    return sides;
  }

  static CallDigests Digests(const EvalOutcome& outcome, uint64_t state) {
    return {DigestsOf(outcome.outputs), DigestsOf(outcome.changed_inputs), state};
  }

  static std::vector<uint64_t> DigestsOf(const std::vector<Datum>& data) {
    std::vector<uint64_t> digests;
    for (const Datum& each : data) digests.push_back(DigestOfDatum(each));
    return digests;
  }

  // The call with the truth that was asked for. What was not recorded is not compared.
  [[nodiscard]] RecordedCall WithTruth(const RecordedCall& call) const {
    RecordedCall asked = call;
    if (request_.compare == "executorch") asked.truth = Truth::kExecutorch;
    if (request_.compare == "eager") asked.truth = Truth::kEager;
    const Truth truth = asked.truth.value_or(Truth::kExecutorch);
    asked.truth = truth;
    if (truth == Truth::kExecutorch && !call.executorch) asked.truth = Truth::kSkip;
    if (truth == Truth::kEager && !call.eager) asked.truth = Truth::kSkip;
    return asked;
  }

  void Row(const RecordedSequence& sequence, size_t c, CallLine line) {
    line.not_admitted = std::exchange(not_admitted_, std::nullopt).value_or("");
    const bool is_quiet = line.result == "agrees" || line.result == "skipped";
    if (request_.quiet && is_quiet && line.not_admitted.empty()) return;
    WriteOutput(request_.json ? CallJson(files_, sequence, c, line) : CallText(sequence, c, line));
  }

  const EvalRequest& request_;
  const CallFiles& files_;
  const Recording& recording_;
  Semantics semantics_;
  EvalSubject& subject_;
  std::optional<bool> has_state_;            // once it was asked for
  std::optional<std::string> not_admitted_;  // why the manifest does not admit the call at hand
  CallCounts counts_;
};

}  // namespace

ExitCode Evaluate(const EvalRequest& request, const CallFiles& files, const Recording& recording,
                  Semantics semantics, EvalSubject& subject) {
  return Evaluation(request, files, recording, semantics, subject).Run();
}

}  // namespace pteproof
