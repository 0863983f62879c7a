#include "cli/verbs/evaluation.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "properties/oracles/compare.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {
namespace {

struct EvalTally {
  int agree = 0;
  int differ = 0;
  int not_compared = 0;
  int not_made = 0;
  int stopped = 0;                     // for a reason that need not be the program's
  std::map<std::string, int> unknown;  // calls by operator
  // Calls of which PyTorch's and ExecuTorch's recorded outputs differ, and which the results equal.
  int disputed = 0;
  int as_executorch = 0;
  int as_eager = 0;
};

std::string SideText(const RecordedSides& sides) {
  if (sides.executorch && sides.eager) {
    return "equals ExecuTorch's and PyTorch's recorded outputs within the bounds";
  }
  if (sides.executorch) return "equals ExecuTorch's recorded outputs, not PyTorch's";
  if (sides.eager) return "equals PyTorch's recorded outputs, not ExecuTorch's";
  return "equals neither ExecuTorch's nor PyTorch's recorded outputs, which differ";
}

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
  Evaluation(const EvalRequest& request, const Recording& recording, Semantics semantics,
             EvalSubject& subject)
      : request_(request), recording_(recording), semantics_(semantics), subject_(subject) {}

  ExitCode Run() {
    for (const RecordedSequence& sequence : recording_.sequences) RunSequence(sequence);
    WriteOutput(Summary());
    if (tally_.differ > 0) return ExitCode::kUnsafe;
    const bool any_made = tally_.agree + tally_.not_compared > 0;
    const bool all_made = tally_.unknown.empty() && tally_.not_made == 0 && tally_.stopped == 0;
    return any_made && all_made ? ExitCode::kSafe : ExitCode::kUndecided;
  }

 private:
  [[nodiscard]] std::string Summary() const {
    std::string summary =
        fmt::format("{} calls agree, {} differ, {} have nothing to be compared with\n",
                    tally_.agree, tally_.differ, tally_.not_compared);
    if (tally_.disputed > 0) {
      summary += fmt::format(
          "In {} calls PyTorch's and ExecuTorch's recorded outputs differ: {} results equal\n"
          "ExecuTorch's, {} equal PyTorch's. --compare executorch or --compare eager chooses "
          "one.\n",
          tally_.disputed, tally_.as_executorch, tally_.as_eager);
    }
    if (tally_.not_made > 0) {
      summary += fmt::format("{} calls are not made: one before them in their sequence failed\n",
                             tally_.not_made);
    }
    if (tally_.stopped > 0) {
      summary += fmt::format(
          "{} calls stop for a reason that need not be the program's: record calls with inputs\n"
          "that it takes, or give it more time and memory\n",
          tally_.stopped);
    }
    for (const auto& [op, calls] : tally_.unknown) {
      summary += fmt::format("{} calls stop at {}, which the {} does not know\n", calls, Quote(op),
                             request_.engine ? "runtime" : "reference");
    }
    return summary;
  }

  void RunSequence(const RecordedSequence& sequence) {
    subject_.Restart(sequence);
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      const RecordedCall& call = sequence.calls[c];
      if (!subject_.HasMethod(call.method)) {
        Row(sequence, c, "fails", "there is no such method");
        ++tally_.differ;
        continue;
      }
      const auto outcome = subject_.Call(call.method, call.inputs);
      if (outcome.ok()) {
        Judge(sequence, c, outcome.value());
        continue;
      }
      Fail(sequence, c, outcome.error());
      if (!subject_.HasState()) continue;
      // What it would have left behind is not known: nothing can be said of those after it.
      tally_.not_made += static_cast<int>(sequence.calls.size() - c - 1);
      return;
    }
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
      ++tally_.not_compared;
      return Row(sequence, c, "skipped", failure.explanation);
    }
    if (failure.kind == Kind::kUnknown) {
      ++tally_.unknown[failure.op];
      return Row(sequence, c, "unknown", failure.op);
    }
    const bool inputs_to_blame = failure.kind == Kind::kCall && recording_.made_up;
    if (inputs_to_blame || failure.kind == Kind::kLimit) {
      ++tally_.stopped;
      return Row(sequence, c, "stops", failure.explanation);
    }
    ++tally_.differ;
    Row(sequence, c, "fails", failure.explanation);
  }

  void Judge(const RecordedSequence& sequence, size_t c, const EvalOutcome& outcome) {
    const RecordedCall asked = WithTruth(sequence.calls[c]);
    const bool mixed = semantics_ == Semantics::kHash;
    if (recording_.made_up || semantics_ != sequence.semantics) {
      ++tally_.not_compared;
      return Row(sequence, c, mixed ? "mixed" : "ran", Digests(outcome, subject_.StateDigest()));
    }
    if (asked.truth == Truth::kSkip) {
      ++tally_.not_compared;
      return Row(sequence, c, "skipped", "");
    }
    const auto difference = DifferenceFromTruth(asked, outcome.outputs, recording_.tolerance);
    ++(difference ? tally_.differ : tally_.agree);
    std::string why = difference.value_or("");
    if (const std::string side = CountSide(asked, outcome.outputs); !side.empty()) {
      why += (why.empty() ? "" : "; ") + side;
    }
    Row(sequence, c, difference ? "differs" : "agrees", why);
  }

  // Empty if there is one recorded output, or the two agree.
  std::string CountSide(const RecordedCall& call, std::span<const Datum> outputs) {
    if (call.truth == Truth::kShape) return "";
    const auto sides = SidesOf(call, outputs, recording_.tolerance);
    if (!sides) return "";
    ++tally_.disputed;
    tally_.as_executorch += sides->executorch ? 1 : 0;
    tally_.as_eager += sides->eager ? 1 : 0;
    return SideText(*sides);
  }

  static std::string Digests(const EvalOutcome& outcome, uint64_t state) {
    std::string text = "outputs" + DigestsOf(outcome.outputs);
    if (!outcome.changed_inputs.empty()) text += ", inputs" + DigestsOf(outcome.changed_inputs);
    if (state != 0) text += fmt::format(", state {:016x}", state);
    return text;
  }

  static std::string DigestsOf(const std::vector<Datum>& data) {
    std::string text;
    for (const Datum& each : data) text += fmt::format(" {:016x}", DigestOfDatum(each));
    return text;
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
  Semantics semantics_;
  EvalSubject& subject_;
  EvalTally tally_;
};

}  // namespace

ExitCode Evaluate(const EvalRequest& request, const Recording& recording, Semantics semantics,
                  EvalSubject& subject) {
  return Evaluation(request, recording, semantics, subject).Run();
}

}  // namespace pteproof
