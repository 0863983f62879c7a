#include "cli/verbs/tagged_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/finding_names.h"
#include "cli/io/exit_code.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "properties/oracles/tags/tagged_run.h"
#include "properties/oracles/unknown_calls.h"

namespace pteproof {
namespace {

class TaggedCalls {
 public:
  TaggedCalls(const EvalRequest& request, const CallFiles& files, Semantics semantics,
              const ProgramParts& parts, bool made_up)
      : request_(request), files_(files), semantics_(semantics), parts_(parts), made_up_(made_up) {}

  void Make(const RecordedSequence& sequence) {
    const Policy policy = request_.policy.value_or(sequence.policy);
    const ReplayOptions options = {.policy = policy,
                                   .semantics = semantics_,
                                   .data = parts_.data_file(),
                                   .manifest = parts_.manifest.get()};
    std::optional<TaggedRun> run(std::in_place, parts_.source(), options);
    for (size_t c = 0; c < sequence.calls.size(); ++c) {
      if (Call(sequence, c, *run)) continue;
      if (!made_up_ || run->finding()) break;
      run.emplace(parts_.source(), options);  // the calls after it are a sequence of their own
    }
    const auto why = run->WhyNoProof();
    if (!why) proven_.push_back(policy);
    if (why && !run->finding()) why_not_ = why;
  }

  [[nodiscard]] ExitCode Sum() const {
    WriteOutput(request_.json ? SumJson() : SumText());
    if (wrong_ > 0) return ExitCode::kUnsafe;
    return clean_ > 0 && stopped_ == 0 ? ExitCode::kSafe : ExitCode::kUndecided;
  }

 private:
  [[nodiscard]] std::string SumText() const {
    const std::string counts = fmt::format("{} calls clean, {} with a wrong byte, {} not made\n",
                                           clean_, wrong_, stopped_);
    if (wrong_ > 0 || clean_ == 0) return counts;
    if (proven_.empty()) {
      return counts +
             fmt::format("This holds for these calls. It is not a proof: {}.\n", WhyNoProof());
    }
    return counts +
           fmt::format(
               "Proof: every method is a straight line on static shapes, and leaves all state "
               "intact,\nso that no call on any input, in any order, reads a wrong byte "
               "(policy {}).\n",
               Name(proven_.front()));
  }

  [[nodiscard]] std::string SumJson() const {
    nlohmann::ordered_json json = FilesJson(files_);
    const bool all_clean = clean_ > 0 && stopped_ == 0;
    const bool proof = wrong_ == 0 && clean_ > 0 && !proven_.empty();
    json["verdict"] = wrong_ > 0 ? "wrong" : all_clean ? "clean" : "undecided";
    json["clean"] = clean_;
    json["wrong"] = wrong_;
    json["not_made"] = stopped_;
    json["proof"] = proof;
    json["no_proof"] = proof || wrong_ > 0 ? nlohmann::ordered_json(nullptr)
                                           : nlohmann::ordered_json(WhyNoProof());
    return JsonText(json) + "\n";
  }

  [[nodiscard]] std::string WhyNoProof() const {
    return why_not_.value_or("no sequence was run to its end");
  }

  // Whether the sequence goes on.
  bool Call(const RecordedSequence& sequence, size_t c, TaggedRun& run) {
    const RecordedCall& call = sequence.calls[c];
    const auto& methods = parts_.source().methods;
    const auto method = std::ranges::find(methods, call.method, &Method::name);
    if (method == methods.end()) return Stop(sequence, c, "the method does not exist");
    const auto unknown =
        semantics_ == Semantics::kReal ? UnknownInReference(*method) : std::nullopt;
    if (unknown) {
      return Stop(sequence, c,
                  fmt::format("instruction {} calls {} '{}', which is not known; --semantics hash "
                              "makes the call",
                              unknown->instruction, unknown->is_delegate ? "delegate" : "operator",
                              unknown->name));
    }
    const auto outputs = run.Call(static_cast<int32_t>(method - methods.begin()), call.inputs);
    if (run.finding()) {
      ++wrong_;
      Row(sequence, c, "wrong", WrongReadText(parts_.source(), *run.finding()));
      return false;
    }
    if (!outputs.ok() && outputs.error().kind == ReplayError::Kind::kMemory) {
      throw MemoryRanOut(outputs.error().explanation);
    }
    if (!outputs.ok()) return Stop(sequence, c, outputs.error().explanation);
    ++clean_;
    Row(sequence, c, "clean", "");
    return true;
  }

  bool Stop(const RecordedSequence& sequence, size_t c, const std::string& why) {
    stopped_ += made_up_ ? 1 : static_cast<int>(sequence.calls.size() - c);
    Row(sequence, c, "stops", why);
    return false;
  }

  void Row(const RecordedSequence& sequence, size_t c, std::string_view result,
           const std::string& why) const {
    if (request_.quiet && result == "clean") return;
    const CallLine line = {result, why};
    WriteOutput(request_.json ? CallJson(files_, sequence, c, line) : CallText(sequence, c, line));
  }

  const EvalRequest& request_;
  const CallFiles& files_;
  Semantics semantics_;
  const ProgramParts& parts_;
  bool made_up_;
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

ExitCode MakeTaggedCalls(const EvalRequest& request, const CallFiles& files,
                         const Recording& recording, Semantics semantics,
                         const ProgramParts& parts) {
  TaggedCalls calls(request, files, semantics, parts, recording.made_up);
  for (const RecordedSequence& sequence : recording.sequences) calls.Make(sequence);
  return calls.Sum();
}

}  // namespace pteproof
