#include "cli/verbs/tagged_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/finding_names.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "properties/oracles/tags/tagged_run.h"

namespace pteproof {
namespace {

class TaggedCalls {
 public:
  TaggedCalls(const EvalRequest& request, Semantics semantics, const ProgramParts& parts)
      : request_(request), semantics_(semantics), parts_(parts) {}

  void Make(const RecordedSequence& sequence) {
    const Policy policy = request_.policy.value_or(sequence.policy);
    TaggedRun run(parts_.source(), {.policy = policy,
                                    .semantics = semantics_,
                                    .data = parts_.data_file(),
                                    .manifest = parts_.manifest.get()});
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      if (!Call(sequence, c, run)) break;
    }
    const auto why = run.WhyNoProof();
    if (!why) proven_.push_back(policy);
    if (why && !run.finding()) why_not_ = why;
  }

  [[nodiscard]] ExitCode Sum() const {
    WriteOutput(fmt::format("{} calls clean, {} with a wrong byte, {} not made\n", clean_, wrong_,
                            stopped_));
    if (wrong_ > 0) return ExitCode::kUnsafe;
    if (clean_ == 0) return ExitCode::kUndecided;
    if (proven_.empty()) {
      WriteOutput(fmt::format("This holds for these calls. It is no proof: {}.\n",
                              why_not_.value_or("no sequence was run to its end")));
    } else {
      const std::string_view policy = Name(proven_.front());
      WriteOutput(fmt::format(
          "Proof: every method is a straight line on static shapes, and leaves all state intact,\n"
          "so that no call on any input, in any order, reads a wrong byte (policy {}).\n",
          policy));
    }
    return stopped_ > 0 ? ExitCode::kUndecided : ExitCode::kSafe;
  }

 private:
  // Whether the sequence goes on.
  bool Call(const RecordedSequence& sequence, size_t c, TaggedRun& run) {
    const RecordedCall& call = sequence.calls[c];
    const auto& methods = parts_.source().methods;
    const auto method = std::ranges::find(methods, call.method, &Method::name);
    if (method == methods.end()) return Stop(sequence, c, "there is no such method");
    const auto outputs = run.Call(static_cast<int32_t>(method - methods.begin()), call.inputs);
    if (run.finding()) {
      ++wrong_;
      Row(sequence, c, "wrong", WrongReadText(parts_.source(), *run.finding()));
      return false;
    }
    if (!outputs.ok()) return Stop(sequence, c, outputs.error().explanation);
    ++clean_;
    Row(sequence, c, "clean", "");
    return true;
  }

  bool Stop(const RecordedSequence& sequence, size_t c, const std::string& why) {
    stopped_ += static_cast<int>(sequence.calls.size() - c);
    Row(sequence, c, "stops", why);
    return false;
  }

  void Row(const RecordedSequence& sequence, size_t c, std::string_view verdict,
           const std::string& why) const {
    if (request_.quiet && verdict == "clean") return;
    WriteOutput(fmt::format("{:<8} {}[{}] {}{}\n", verdict, Quote(sequence.name), c,
                            Quote(sequence.calls[c].method),
                            why.empty() ? "" : ": " + Quote(why, kLongestLine)));
  }

  const EvalRequest& request_;
  Semantics semantics_;
  const ProgramParts& parts_;
  int clean_ = 0;
  int wrong_ = 0;
  int stopped_ = 0;
  std::vector<Policy> proven_;
  std::optional<std::string> why_not_;
};

}  // namespace

std::string WrongReadText(const Program& program, const TagFinding& finding) {
  const auto method = std::ranges::find(program.methods, finding.method, &Method::name);
  const bool ended = method != program.methods.end() &&
                     finding.instruction == static_cast<int32_t>(method->instructions.size());
  const std::string reader =
      ended ? "the caller" : fmt::format("instruction {}", finding.instruction);
  return fmt::format("'{}': {} needs value {} in {}", finding.method, reader, finding.value,
                     finding.explanation);
}

ExitCode MakeTaggedCalls(const EvalRequest& request, const Recording& recording,
                         Semantics semantics, const ProgramParts& parts) {
  TaggedCalls calls(request, semantics, parts);
  for (const RecordedSequence& sequence : recording.sequences) calls.Make(sequence);
  return calls.Sum();
}

}  // namespace pteproof
