#include "tests/planted/score.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace pteproof {
namespace {

using Cases = std::vector<std::optional<uint64_t>>;  // per seed

std::optional<uint64_t> MedianOf(Cases cases) {
  if (cases.empty()) return std::nullopt;
  const auto less = [](const auto& a, const auto& b) {
    return a.value_or(UINT64_MAX) < b.value_or(UINT64_MAX);
  };
  const auto middle = cases.begin() + static_cast<std::ptrdiff_t>(cases.size() / 2);
  std::ranges::nth_element(cases, middle, less);
  return *middle;
}

// The cases of one sequence by the checkers that are asked: each until it sees something.
std::array<std::optional<uint64_t>, kCheckerCount> FirstSeen(const DefectRow& defect, uint64_t seed,
                                                             uint64_t most, Checkers asked) {
  std::array<std::optional<uint64_t>, kCheckerCount> first = {};
  for (uint64_t n = 0; n < most && IsAny(asked); ++n) {
    const auto drawn = CaseOf(seed + n);
    if (!drawn) continue;
    const Checkers seen = SeenBy(defect, drawn->random, drawn->setting, seed + n, asked);
    for (size_t w = 0; w < kCheckerCount; ++w) {
      if (!asked[w] || !seen[w]) continue;
      first[w] = n + 1;
      asked[w] = false;
    }
  }
  return first;
}

// A checker that sees nothing in the first few sequences is not asked in the others.
void AskInProcess(const DefectRow& defect, Checkers checkers, uint64_t seeds, uint64_t most,
                  uint64_t misses, Score& score) {
  std::array<Cases, kCheckerCount> cases;
  for (uint64_t s = 0; s < seeds; ++s) {
    Checkers asked = checkers;
    for (size_t w = 0; w < kCheckerCount; ++w) {
      const bool in_vain = s >= misses && std::ranges::none_of(cases[w], [](const auto& c) {
                             return c.has_value();
                           });
      asked[w] = asked[w] && !in_vain;
    }
    const auto first = FirstSeen(defect, SeedOf(s), most, asked);
    for (size_t w = 0; w < kCheckerCount; ++w) {
      if (checkers[w]) cases[w].push_back(first[w]);
    }
  }
  for (size_t w = 0; w < kCheckerCount; ++w) {
    if (!checkers[w]) continue;
    score.cases[w] = MedianOf(std::move(cases[w]));
    score.asked[w] = true;
  }
}

}  // namespace

int Score::checkers() const {
  return static_cast<int>(
      std::count_if(cases.begin() + 1, cases.end(), [](const auto& c) { return c.has_value(); }));
}

bool Score::IsFound() const {
  return std::ranges::any_of(cases, [](const auto& c) { return c.has_value(); });
}

Score ScoreOf(const DefectRow& defect, const ScoreEffort& effort) {
  const auto start = std::chrono::steady_clock::now();
  Score score;
  AskInProcess(defect, kQuickCheckers, effort.seeds, effort.cases, effort.misses, score);
  Checkers proof = {};
  At(proof, Checker::kProof) = true;
  AskInProcess(defect, proof, effort.proof_seeds, effort.proof_cases, effort.proof_seeds, score);
  if (HasExecutorch()) {
    constexpr auto kAt = static_cast<size_t>(Checker::kExecutorch);
    score.asked[kAt] = true;
    score.cases[kAt] = CasesInExecutorch(defect, effort.executorch_cases);
  }
  score.find = Hunt(defect, SeedOf(0), effort.cases);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  score.seconds = spent.count();
  return score;
}

}  // namespace pteproof
