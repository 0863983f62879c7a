#include "properties/proofs/prove.h"

#include <algorithm>

#include "base/finding_names.h"

namespace pteproof::proofs {
namespace {

// The verdict of one decision, if the obligation counts.
Verdict VerdictOf(const Obligation& obligation, const Decision& decision) {
  // One of the solvers is wrong, and nobody knows which.
  if (decision.disagree) return Verdict::kUndecided;
  switch (decision.answer) {
    case Answer::kProved:
      // From facts that cannot be met nothing follows.
      return decision.vacuous ? Verdict::kUndecided : Verdict::kSafe;
    case Answer::kRefuted:
      return obligation.severity == Severity::kError ? Verdict::kUnsafe : Verdict::kUndecided;
    case Answer::kUnknown:
      return Verdict::kUndecided;
  }
  return Verdict::kUndecided;
}

bool IsOfNumbers(const Obligation& obligation) {
  return std::ranges::all_of(obligation.goal, [](const Comparison& c) {
    return c.left.Constant().has_value() && c.right.Constant().has_value();
  });
}

}  // namespace

bool LeavesOpen(const Obligation& obligation, const Decision& decision) {
  return decision.answer == Answer::kRefuted && obligation.severity != Severity::kError;
}

bool IsSuppressed(const Obligation& obligation, const Manifest* manifest) {
  if (manifest == nullptr) return false;
  return std::ranges::any_of(manifest->suppress, [&](const Suppression& s) {
    return s.rule == obligation.kind && (s.method.empty() || s.method == obligation.method);
  });
}

Proof Prove(const Program& program, const ObligeOptions& options, const DecideOptions& how) {
  Proof proof;
  proof.obligations = ObligationsOf(program, options);
  proof.decisions = Decide(proof.obligations, how);
  proof.verdicts = OpenVerdictsOf(proof, nullptr);
  return proof;
}

std::array<Verdict, kPolicyCount> OpenVerdictsOf(const Proof& proof, const Manifest* manifest) {
  std::array<Verdict, kPolicyCount> verdicts{};
  // A list that misses a pair proves nothing.
  if (!proof.obligations.IsComplete()) verdicts.fill(Verdict::kUndecided);
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Obligation& obligation = proof.obligations.list[o];
    if (IsSuppressed(obligation, manifest)) continue;
    const Verdict verdict = VerdictOf(obligation, proof.decisions[o]);
    for (const Policy policy : kAllPolicies) {
      Verdict& worst = verdicts[static_cast<size_t>(policy)];
      if (obligation.policies.Has(policy)) worst = std::max(worst, verdict);
    }
  }
  return verdicts;
}

size_t AcceptedOf(const Proof& proof, const Manifest* manifest, std::optional<Policy> policy) {
  size_t accepted = 0;
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Obligation& obligation = proof.obligations.list[o];
    const bool counts = !policy || obligation.policies.Has(*policy);
    const bool fails = VerdictOf(obligation, proof.decisions[o]) != Verdict::kSafe;
    accepted += counts && fails && IsSuppressed(obligation, manifest) ? 1 : 0;
  }
  return accepted;
}

ProofCounts Count(const Proof& proof) {
  ProofCounts counts;
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Decision& decision = proof.decisions[o];
    counts.proved += decision.answer == Answer::kProved ? 1 : 0;
    if (decision.answer == Answer::kRefuted) {
      ++(LeavesOpen(proof.obligations.list[o], decision) ? counts.undecided : counts.refuted);
    }
    counts.unknown += decision.answer == Answer::kUnknown ? 1 : 0;
    counts.vacuous += decision.vacuous ? 1 : 0;
    counts.by_constants += IsOfNumbers(proof.obligations.list[o]) ? 1 : 0;
  }
  return counts;
}

}  // namespace pteproof::proofs
