#include "properties/agreement/judge_mutant.h"

#include <utility>

#include "properties/agreement/drawn_plan.h"
#include "pteproof/write.h"

namespace pteproof {

std::optional<JudgedMutant> JudgeMutant(uint64_t seed, bool proof) {
  const auto drawn = DrawPlan(seed);
  if (!drawn) return std::nullopt;
  auto mutation = DrawDamage(drawn->planned.program, seed);
  if (!mutation) return std::nullopt;
  CheckersOptions options;
  options.manifest = drawn->manifest ? &*drawn->manifest : nullptr;
  options.policy = drawn->policy;
  options.seed = seed;
  options.proof = proof;
  JudgedMutant judged = {.damage = mutation->damage,
                         .what = std::move(mutation->what),
                         .policy = options.policy,
                         .checkers = JudgeAllCheckers(mutation->program, options),
                         .file = {}};
  if (judged.checkers.disagreement.empty()) return judged;
  if (auto written = WriteProgram(mutation->program); written.ok())
    judged.file = std::move(written).value();
  return judged;
}

}  // namespace pteproof
