#include "properties/proofs/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "base/stage.h"
#include "properties/manifest/buffer_keys.h"
#include "properties/proofs/rules/obliger.h"
#include "properties/readings.h"

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
  for (const Policy policy : kAllPolicies) {
    Verdict& verdict = verdicts[static_cast<size_t>(policy)];
    if (proof.in_doubt.Has(policy)) verdict = Verdict::kUndecided;
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

namespace {

Proof ProveReading(const Program& program, const ObligeOptions& options, const DecideOptions& how) {
  Proof proof;
  proof.obligations = ObligationsOf(program, options);
  proof.decisions = Decide(proof.obligations, how);
  proof.verdicts = OpenVerdictsOf(proof, nullptr);
  return proof;
}

// The loaders under which one of two readings refutes the plan, or the other one does not prove it.
PolicySet Apart(const Proof& usual, const Proof& other) {
  PolicySet apart = PolicySet::None();
  for (const Policy policy : kAllPolicies) {
    const auto p = static_cast<size_t>(policy);
    const bool one = usual.verdicts[p] == Verdict::kUnsafe;
    const bool proved = usual.verdicts[p] == Verdict::kSafe;
    if (one != (other.verdicts[p] == Verdict::kUnsafe) ||
        (proved && other.verdicts[p] == Verdict::kUndecided)) {
      apart.Add(policy);
    }
  }
  return apart;
}

// That the answer to a question does not matter: it does.
void AddDoubt(Proof& proof, const std::vector<Doubt>& doubts, PolicySet apart,
              const DecideOptions& how) {
  Obligations doubtful;
  Obligation& o = doubtful.list.emplace_back();
  o.kind = rule::kNotProvable;
  o.severity = Severity::kNote;
  o.policies = apart;
  o.goal = None(1);
  o.refuted = fmt::format("The file does not say {}, and one of the two readings is not right. {}",
                          Words(doubts), Settlement(doubts));
  const std::vector<Decision> decisions = Decide(doubtful, how);
  proof.obligations.list.push_back(std::move(o));
  proof.decisions.push_back(decisions.front());
}

}  // namespace

Proof Prove(const Program& given, const ObligeOptions& options, const DecideOptions& how) {
  TellStage("proving");
  const UnderKeys keyed(given, options.manifest);
  const Program& program = keyed.program();
  Proof usual = ProveReading(program, options, how);
  const std::vector<Doubt> doubts = usual.obligations.doubts;
  PolicySet in_doubt = PolicySet::None();
  for (const std::vector<Doubt>& answered : OtherReadings(doubts)) {
    ObligeOptions other = options;
    other.other = Reading(answered.begin(), answered.end());
    const PolicySet here = Apart(usual, ProveReading(program, other, how));
    if (here != PolicySet::None()) AddDoubt(usual, answered, here, how);
    in_doubt.bits |= here.bits;
  }
  usual.in_doubt = in_doubt;
  usual.verdicts = OpenVerdictsOf(usual, nullptr);
  return usual;
}

ProofCounts Count(const Proof& proof) {
  ProofCounts counts;
  counts.proved = counts.by_constants = proof.obligations.held;
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
