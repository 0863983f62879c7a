#include "pteproof/prove.h"

#include <algorithm>
#include <chrono>

#include "base/within_memory.h"
#include "properties/proofs/prove.h"

namespace pteproof {
namespace {

// Says when the caller has had enough: by the clock, or by its own word.
class Patience {
 public:
  explicit Patience(const ProveOptions& options) : go_on_(options.go_on) {
    if (options.seconds) {
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(*options.seconds));
    }
  }

  void Tell(size_t done, size_t total) {
    if (go_on_ && !go_on_(done, total)) over_ = true;
  }
  [[nodiscard]] bool IsOver() const { return over_ || (end_ && Clock::now() >= *end_); }

 private:
  using Clock = std::chrono::steady_clock;

  const std::function<bool(size_t, size_t)>& go_on_;
  std::optional<Clock::time_point> end_;
  bool over_ = false;
};

proofs::DecideOptions ToDecideOptions(const ProveOptions& options, Patience& patience) {
  constexpr double kMostSeconds = 86'400;
  constexpr double kMilliseconds = 1'000;
  const double seconds = std::clamp(options.seconds_each, 1 / kMilliseconds, kMostSeconds);
  proofs::DecideOptions how;
  how.milliseconds = static_cast<uint32_t>(seconds * kMilliseconds);
  how.megabytes = options.megabytes;
  how.progress = [&patience](size_t done, size_t total) { patience.Tell(done, total); };
  how.stop = [&patience] { return patience.IsOver(); };
  return how;
}

std::optional<OpenObligation::Kind> KindOf(const proofs::Decision& decision) {
  if (decision.answer == proofs::Answer::kRefuted) return OpenObligation::Kind::kRefuted;
  if (decision.answer == proofs::Answer::kUnknown) return OpenObligation::Kind::kUnknown;
  if (decision.vacuous) return OpenObligation::Kind::kVacuous;
  return std::nullopt;
}

std::string TextFor(OpenObligation::Kind kind, const proofs::Obligation& obligation,
                    const proofs::Decision& decision) {
  switch (kind) {
    case OpenObligation::Kind::kRefuted:
      return obligation.refuted;
    case OpenObligation::Kind::kUnknown:
      return decision.reason;
    case OpenObligation::Kind::kVacuous:
      return "the ranges of its sizes cannot be met";
  }
  return "";
}

OpenObligation ToOpen(OpenObligation::Kind kind, const proofs::Obligation& obligation,
                      const proofs::Decision& decision, const proofs::Symbols& symbols) {
  OpenObligation open;
  open.kind = kind;
  open.rule = obligation.kind;
  open.undecided = obligation.severity != Severity::kError;
  open.policies = obligation.policies;
  open.method = obligation.method;
  open.instruction = obligation.instruction;
  open.values = obligation.values;
  open.text = TextFor(kind, obligation, decision);
  for (const proofs::ModelValue& value : decision.model) {
    open.sizes.emplace_back(symbols[static_cast<size_t>(value.symbol)].name, value.value);
  }
  return open;
}

proofs::Order OrderOf(ProofOrder order) {
  switch (order) {
    case ProofOrder::kListed:
      return proofs::Order::kFile;
    case ProofOrder::kAny:
      return proofs::Order::kAny;
    case ProofOrder::kStrict:
      return proofs::Order::kStrict;
  }
  return proofs::Order::kFile;
}

Proof MakeProof(const Program& program, const ProveOptions& options) {
  proofs::ObligeOptions oblige;
  oblige.manifest = options.manifest;
  oblige.all_first = options.all_first;
  oblige.order = OrderOf(options.order);
  Patience patience(options);
  const proofs::Proof made = proofs::Prove(program, oblige, ToDecideOptions(options, patience));
  const proofs::ProofCounts counts = proofs::Count(made);

  Proof proof;
  proof.verdicts = made.verdicts;
  proof.proved = counts.proved;
  proof.refuted = counts.refuted;
  proof.unknown = counts.unknown;
  proof.complete = made.obligations.IsComplete();
  proof.assumptions = made.obligations.assumptions;
  proof.solver = proofs::Z3Version();
  for (size_t o = 0; o < made.decisions.size(); ++o) {
    const proofs::Obligation& obligation = made.obligations.list[o];
    const auto kind = KindOf(made.decisions[o]);
    if (!kind) continue;
    proof.open.push_back(ToOpen(*kind, obligation, made.decisions[o], made.obligations.symbols));
    proof.open.back().suppressed = proofs::IsSuppressed(obligation, options.manifest);
  }
  return proof;
}

}  // namespace

Proof Prove(const Program& program, const ProveOptions& options) {
  return WithinMemory([&] { return MakeProof(program, options); },
                      [] {
                        Proof nothing;
                        nothing.verdicts.fill(Verdict::kUndecided);
                        nothing.complete = false;
                        return nothing;
                      });
}

}  // namespace pteproof
