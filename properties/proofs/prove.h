// Proves a program's plan, or refutes it: every obligation decided, and the verdict under each
// loader.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PROVE_H_
#define PTEPROOF_PROPERTIES_PROOFS_PROVE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "properties/proofs/obligations_of.h"
#include "properties/proofs/solver/decide.h"
#include "pteproof/report.h"

namespace pteproof::proofs {

struct Proof {
  Obligations obligations;
  std::vector<Decision> decisions;  // one per listed obligation
  // Indexed by Policy. kUnsafe: an obligation is refuted; kUndecided: one that leaves two readings
  // is, or one is unknown; kSafe: all are proved.
  std::array<Verdict, kPolicyCount> verdicts{};
  // The loaders under which one of two readings of the file refutes the plan (readings.h):
  // undecided.
  PolicySet in_doubt = PolicySet::None();
};

// So many obligations ended so.
struct ProofCounts {
  size_t proved = 0;
  size_t refuted = 0;
  size_t undecided = 0;  // do not hold, which leaves two readings of the file
  size_t unknown = 0;
  size_t vacuous = 0;       // of the proved: from facts that cannot be met
  size_t by_constants = 0;  // numbers alone decide them, in whatever way they were decided
};

// A refutation that the options' manifest accepts is a refutation.
[[nodiscard]] Proof Prove(const Program& program, const ObligeOptions& options,
                          const DecideOptions& how = {});

[[nodiscard]] ProofCounts Count(const Proof& proof);

// Whether the obligation does not hold, and that leaves two readings of the file: undecided.
[[nodiscard]] bool LeavesOpen(const Obligation& obligation, const Decision& decision);

// Whether the manifest, if there is one, accepts that such an obligation does not hold.
[[nodiscard]] bool IsSuppressed(const Obligation& obligation, const Manifest* manifest);

// The verdicts without what the manifest accepts: what is left to be shown. Indexed by Policy.
[[nodiscard]] std::array<Verdict, kPolicyCount> OpenVerdictsOf(const Proof& proof,
                                                               const Manifest* manifest);

// How many obligations that are not proved the manifest accepts, under the policy or under any.
[[nodiscard]] size_t AcceptedOf(const Proof& proof, const Manifest* manifest,
                                std::optional<Policy> policy);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PROVE_H_
