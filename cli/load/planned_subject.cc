#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "base/work.h"
#include "cli/io/exit_code.h"
#include "cli/load/eval_subject.h"
#include "meaning/program_meaning.h"
#include "properties/oracles/default_tolerance.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/unknown_calls.h"

namespace pteproof {
namespace {

class OfPlan final : public EvalSubject {
 public:
  OfPlan(ProgramParts parts, Semantics semantics, const LoaderChoice& loader,
         const EngineOptions& options)
      : parts_(std::move(parts)), semantics_(semantics), loader_(loader), engine_(options) {}

  [[nodiscard]] std::optional<EvalFailure> UnknownIn(std::string_view method) const override {
    if (semantics_ == Semantics::kHash) return std::nullopt;
    return FailureOfUnknown(UnknownInRuntime(parts_.source().methods[IndexOf(method)]));
  }

  [[nodiscard]] std::optional<std::string> NotAdmitted(
      std::string_view method, std::span<const Datum> inputs) const override {
    return NotAdmittedBy(parts_.manifest.get(), method, inputs);
  }

  void Restart(const RecordedSequence& sequence) override {
    PlannedRunOptions options;
    options.policy = loader_.policy.value_or(sequence.policy);
    options.semantics = semantics_;
    options.apply = engine_.apply;
    options.fill = engine_.fill;
    options.limits = engine_.limits;
    options.lazy = !loader_.all_first.value_or(sequence.loads_all_first);
    options.writable_constants = true;  // as in ExecuTorch, when it reads the file into memory
    options.data = parts_.data_file();
    options.lends_outputs = true;  // a call is judged before the next one
    if (meaning_ == nullptr) {
      meaning_ = std::make_shared<const meaning::ProgramMeaning>(
          meaning::MeaningOf(parts_.source(), parts_.manifest.get()));
    }
    options.meaning = meaning_;
    run_.emplace(PlannedRun::Load(parts_.source(), options));
  }

  [[nodiscard]] bool HasMethod(std::string_view name) const override {
    return IndexOf(name) < parts_.source().methods.size();
  }

  [[nodiscard]] Result<EvalOutcome, EvalFailure> Call(std::string_view method,
                                                      std::span<const Datum> inputs) override {
    const auto index = static_cast<int32_t>(IndexOf(method));
    if (!run_->ok()) return LoadFailureOf(run_->error());
    if (const auto fault = run_->value().LoadMethod(index)) return LoadFailureOf(*fault);
    try {
      auto outcome = run_->value().Call(index, inputs);
      if (!outcome.ok()) return FailureOf(outcome.error());
      return EvalOutcome{std::move(outcome).value(), {}};
    } catch (const OverLimit& over) {
      return EvalFailure{EvalFailure::Kind::kLimit, "", ExplanationOf(over)};
    }
  }

  [[nodiscard]] Tolerance BoundsOf(std::string_view method) const override {
    return DefaultTolerance(parts_.source(), method);
  }

  [[nodiscard]] bool HasState() const override {
    return HasBuffers(parts_.source(), parts_.manifest.get());
  }

  [[nodiscard]] uint64_t StateDigest() const override { return 0; }

 private:
  // The command as a whole says that memory ran out.
  static EvalFailure FailureOf(const RunFault& fault) {
    if (fault.kind == RunFault::Kind::kMemory) throw MemoryRanOut(fault.explanation);
    const std::string place = "instruction " + std::to_string(fault.instruction) + ": ";
    return {KindOf(fault.kind), fault.op, (fault.instruction < 0 ? "" : place) + fault.explanation};
  }

  static EvalFailure::Kind KindOf(RunFault::Kind kind) {
    switch (kind) {
      case RunFault::Kind::kUnknown:
        return EvalFailure::Kind::kUnknown;
      case RunFault::Kind::kUnplaced:
        return EvalFailure::Kind::kProgram;
      case RunFault::Kind::kRefused:
        return EvalFailure::Kind::kCall;
      case RunFault::Kind::kFuel:
      case RunFault::Kind::kMemory:
        return EvalFailure::Kind::kLimit;
    }
    return EvalFailure::Kind::kCall;
  }

  // What cannot be loaded cannot be called, whatever the inputs are.
  static EvalFailure LoadFailureOf(const RunFault& fault) {
    EvalFailure failure = FailureOf(fault);
    if (failure.kind == EvalFailure::Kind::kCall) failure.kind = EvalFailure::Kind::kProgram;
    return failure;
  }

  [[nodiscard]] size_t IndexOf(std::string_view name) const {
    const auto& methods = parts_.source().methods;
    return static_cast<size_t>(std::ranges::find(methods, name, &Method::name) - methods.begin());
  }

  ProgramParts parts_;
  std::shared_ptr<const meaning::ProgramMeaning> meaning_;  // of all sequences
  Semantics semantics_;
  LoaderChoice loader_;
  EngineOptions engine_;
  std::optional<Result<PlannedRun, RunFault>> run_;
};

}  // namespace

std::unique_ptr<EvalSubject> PlannedSubject(ProgramParts parts, Semantics semantics,
                                            const LoaderChoice& loader,
                                            const EngineOptions& options) {
  return std::make_unique<OfPlan>(std::move(parts), semantics, loader, options);
}

}  // namespace pteproof
