#include "cli/render/proof_causes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace pteproof {
namespace {

using proofs::Obligation;

// Refutations between the same methods and banks are one, if all else but the values is equal.
using CauseKey =
    std::tuple<std::string_view, Severity, uint8_t, std::string, int32_t, uint32_t, bool>;

std::optional<CauseKey> KeyOf(const proofs::Proof& proof, size_t o) {
  const Obligation& obligation = proof.obligations.list[o];
  const bool refuted = proof.decisions[o].answer == proofs::Answer::kRefuted;
  if (!refuted || obligation.other_method < 0) return std::nullopt;
  const bool load = obligation.instruction < 0 && !obligation.loss.has_value();
  return CauseKey{obligation.kind,
                  obligation.severity,
                  obligation.policies.bits,
                  obligation.method,
                  obligation.other_method,
                  obligation.other_bank,
                  load};
}

// By how many bytes two places must move apart; 0 if that is not a number.
int64_t CommonBytes(const Obligation& obligation) {
  std::optional<int64_t> least;
  for (const proofs::Comparison& c : obligation.goal) {
    const auto left = c.left.Constant();
    const auto right = c.right.Constant();
    if (c.relation != proofs::Relation::kLessEqual || !left || !right) continue;
    least = std::min(least.value_or(*left - *right), *left - *right);
  }
  return least.value_or(0);
}

}  // namespace

std::vector<ProofCause> CausesOf(const proofs::Proof& proof, const std::vector<size_t>& told) {
  std::map<CauseKey, size_t> known;
  std::vector<ProofCause> causes;
  for (const size_t o : told) {
    const int64_t bytes = CommonBytes(proof.obligations.list[o]);
    const auto key = KeyOf(proof, o);
    const auto group = key ? known.try_emplace(*key, causes.size()).first : known.end();
    if (group == known.end() || group->second == causes.size()) {
      causes.push_back({{o}, o, bytes});
      continue;
    }
    ProofCause& cause = causes[group->second];
    cause.obligations.push_back(o);
    if (bytes > cause.worst_bytes) {
      cause.worst = o;
      cause.worst_bytes = bytes;
    }
  }
  return causes;
}

}  // namespace pteproof
