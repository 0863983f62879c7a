#include "cli/load/eval_subject.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/io/exit_code.h"
#include "meaning/method_meaning.h"
#include "properties/manifest/admits.h"
#include "properties/oracles/default_tolerance.h"
#include "properties/oracles/replay.h"
#include "properties/oracles/unknown_calls.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {
namespace {

// Of the reference's errors, which have the same names for a program and for a Module.
template <class Kind>
EvalFailure::Kind KindOfReference(Kind kind) {
  if (kind == Kind::kUnknown) return EvalFailure::Kind::kUnknown;
  return kind == Kind::kFuel ? EvalFailure::Kind::kLimit : EvalFailure::Kind::kCall;
}

class OfProgram final : public EvalSubject {
 public:
  OfProgram(ProgramParts parts, Semantics semantics, const LoaderChoice& loader)
      : parts_(std::move(parts)), semantics_(semantics), loader_(loader) {}

  [[nodiscard]] std::optional<EvalFailure> UnknownIn(std::string_view method) const override {
    const auto& methods = parts_.source().methods;
    const auto found = std::ranges::find(methods, method, &Method::name);
    if (semantics_ == Semantics::kHash || found == methods.end()) return std::nullopt;
    return FailureOfUnknown(UnknownInReference(*found));
  }

  [[nodiscard]] std::optional<std::string> NotAdmitted(
      std::string_view method, std::span<const Datum> inputs) const override {
    return NotAdmittedBy(parts_.manifest.get(), method, inputs);
  }

  void Restart(const RecordedSequence& sequence) override {
    ReplayOptions options;
    options.policy = loader_.policy.value_or(sequence.policy);
    options.semantics = semantics_;
    options.data = parts_.data_file();
    options.manifest = parts_.manifest.get();
    replay_.emplace(parts_.source(), options);
  }

  [[nodiscard]] bool HasMethod(std::string_view name) const override {
    return std::ranges::find(parts_.source().methods, name, &Method::name) !=
           parts_.source().methods.end();
  }

  [[nodiscard]] Result<EvalOutcome, EvalFailure> Call(std::string_view method,
                                                      std::span<const Datum> inputs) override {
    auto outcome = replay_->Call(replay_->MethodNamed(method), inputs);
    if (outcome.ok()) return EvalOutcome{std::move(outcome).value(), {}};
    const ReplayError& error = outcome.error();
    const std::string place = "instruction " + std::to_string(error.instruction) + ": ";
    if (error.kind == ReplayError::Kind::kMemory) throw MemoryRanOut(place + error.explanation);
    return EvalFailure{KindOfReference(error.kind), error.op,
                       (error.instruction < 0 ? "" : place) + error.explanation};
  }

  [[nodiscard]] Tolerance BoundsOf(std::string_view method) const override {
    return DefaultTolerance(parts_.source(), method);
  }

  [[nodiscard]] bool HasState() const override {
    return HasBuffers(parts_.source(), parts_.manifest.get());
  }

  [[nodiscard]] uint64_t StateDigest() const override {
    uint64_t digest = 0;
    for (const auto& [name, contents] : replay_->state()) {
      digest = Mix(Mix(digest, DigestOf(name)), DigestOf(*contents));
    }
    return digest;
  }

 private:
  ProgramParts parts_;
  Semantics semantics_;
  LoaderChoice loader_;
  std::optional<Replay> replay_;
};

class OfModule final : public EvalSubject {
 public:
  OfModule(graph::Module module, Semantics semantics)
      : module_(std::move(module)), state_(module_) {
    options_.semantics = semantics;
  }

  void Restart(const RecordedSequence&) override { state_ = State(module_); }

  [[nodiscard]] bool HasMethod(std::string_view name) const override {
    return IndexOf(name) < module_.methods.size();
  }

  [[nodiscard]] Result<EvalOutcome, EvalFailure> Call(std::string_view method,
                                                      std::span<const Datum> inputs) override {
    auto called = CallMethod(module_, IndexOf(method), state_, inputs, options_);
    if (!called.ok()) {
      const RunError& error = called.error();
      return EvalFailure{KindOfReference(error.kind), error.op, error.explanation};
    }
    EvalOutcome outcome{std::move(called.value().outputs), {}};
    for (size_t i = 0; i < inputs.size(); ++i) {
      Datum& after = called.value().inputs_after[i];
      if (!SameData({&after, 1}, inputs.subspan(i, 1))) {
        outcome.changed_inputs.push_back(std::move(after));
      }
    }
    return outcome;
  }

  [[nodiscard]] bool HasState() const override { return !module_.buffers.empty(); }

  [[nodiscard]] uint64_t StateDigest() const override {
    uint64_t digest = 0;
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      for (size_t b = 0; b < module_.buffers.size(); ++b) {
        digest = Mix(digest, DigestOf(*state_.Get(m, b)));
      }
    }
    return digest;
  }

 private:
  [[nodiscard]] size_t IndexOf(std::string_view name) const {
    return static_cast<size_t>(std::ranges::find(module_.methods, name, &graph::Method::name) -
                               module_.methods.begin());
  }

  graph::Module module_;
  State state_;
  RunOptions options_;
};

}  // namespace

std::optional<EvalFailure> FailureOfUnknown(const std::optional<UnknownCall>& unknown) {
  if (!unknown) return std::nullopt;
  return EvalFailure{EvalFailure::Kind::kUnknown, std::string(unknown->name),
                     "instruction " + std::to_string(unknown->instruction) + " calls it"};
}

std::optional<std::string> NotAdmittedBy(const Manifest* manifest, std::string_view method,
                                         std::span<const Datum> inputs) {
  if (manifest == nullptr) return std::nullopt;
  const auto stated = manifest->methods.find(std::string(method));
  if (stated == manifest->methods.end()) return std::nullopt;
  return NotAdmitted(stated->second, inputs);
}

bool HasBuffers(const Program& program, const Manifest* manifest) {
  return std::ranges::any_of(program.methods, [&](const Method& method) {
    return !meaning::MeaningOf(method, manifest).roles.states.empty();
  });
}

std::unique_ptr<EvalSubject> ProgramSubject(ProgramParts parts, Semantics semantics,
                                            const LoaderChoice& loader) {
  return std::make_unique<OfProgram>(std::move(parts), semantics, loader);
}

std::unique_ptr<EvalSubject> ModuleSubject(graph::Module module, Semantics semantics) {
  return std::make_unique<OfModule>(std::move(module), semantics);
}

}  // namespace pteproof
