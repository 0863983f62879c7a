#include "cli/verbs/prove_twice.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/load/trust.h"

namespace pteproof {
namespace {

using proofs::Proof;

bool IsProved(const Proof& proof, size_t o) {
  const proofs::Decision& decision = proof.decisions[o];
  return decision.answer == proofs::Answer::kProved && !decision.vacuous && !decision.disagree;
}

// Obligations are one if they ask for one thing in one place. Loaders are compared apart.
using PlaceKey = std::tuple<std::string_view, std::string_view, int32_t, std::vector<int32_t>,
                            Severity, uint8_t>;

PlaceKey KeyOf(const proofs::Obligation& o) {
  return {o.kind, o.method, o.instruction, o.values, o.severity, o.policies.bits};
}

// Leaves what is not proved, and is proved or not asked for in `other`.
void KeepOnlyIts(const Proof& other, Proof& proof) {
  std::set<PlaceKey> known;
  for (size_t o = 0; o < other.decisions.size(); ++o) {
    if (!IsProved(other, o)) known.insert(KeyOf(other.obligations.list[o]));
  }
  std::vector<proofs::Obligation> list;
  std::vector<proofs::Decision> decisions;
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    if (IsProved(proof, o) || known.contains(KeyOf(proof.obligations.list[o]))) continue;
    list.push_back(std::move(proof.obligations.list[o]));
    decisions.push_back(std::move(proof.decisions[o]));
  }
  proof.obligations.list = std::move(list);
  proof.obligations.held = 0;
  proof.decisions = std::move(decisions);
}

}  // namespace

void Distrust(std::optional<Proof> alone, std::optional<Policy> asked, ProofReport& report) {
  const Overall believed = report.overall();
  const ExitCode believed_code = ExitCodeOf(report);
  report.trusted = false;
  if (alone) {
    for (size_t p = 0; p < report.verdicts.size(); ++p) {
      report.verdicts[p] = std::max(report.verdicts[p], alone->verdicts[p]);
    }
    KeepOnlyIts(report.proof, *alone);
  }
  report.policy = LoaderToJudge(report.verdicts, asked, report.policy);
  if (alone && !alone->decisions.empty()) {
    report.alone = std::make_unique<ProofReport>();
    report.alone->policy = report.policy;
    report.alone->known = report.known;
    report.alone->proof = std::move(*alone);
  }
  const bool betters = believed < report.overall() || believed_code != ExitCodeOf(report);
  if (betters) report.by_word = believed;
}

}  // namespace pteproof
