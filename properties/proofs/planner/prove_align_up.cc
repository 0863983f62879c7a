#include "properties/proofs/planner/prove_align_up.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "planner/placement/arithmetic.h"

namespace pteproof::proofs {
namespace {

using RoundingClock = std::chrono::steady_clock;

constexpr unsigned kBits = 64;

z3::expr RoundedWord(RoundingFormula formula, const z3::expr& value, const z3::expr& alignment) {
  switch (formula) {
    case RoundingFormula::kShipped:
      return placement::AlignUpWord<z3::expr>(value, alignment);
    case RoundingFormula::kOneTooFar:
      return (value + alignment) & -alignment;
    case RoundingFormula::kDown:
      return value & -alignment;
    case RoundingFormula::kNotAtAll:
      return value;
  }
  return value;
}

// The terms of a lemma: words from 0 on, read like int64_t.
struct RoundingTerms {
  z3::context& context;
  z3::expr alignment;  // a power of two
  z3::expr value;
  z3::expr other;
  z3::expr fits;  // the smallest multiple from `value` on is below 2^63
  RoundingFormula formula;
  z3::expr up;  // of `value`

  [[nodiscard]] z3::expr Number(int64_t number) const { return context.bv_val(number, kBits); }
  [[nodiscard]] z3::expr Up(const z3::expr& word) const {
    return RoundedWord(formula, word, alignment);
  }
  [[nodiscard]] z3::expr IsMultiple(const z3::expr& word) const {
    return (word & (alignment - 1)) == Number(0);
  }
  // The true sum a + b, two bits wider, so that nothing wraps.
  [[nodiscard]] static z3::expr WideSum(const z3::expr& a, const z3::expr& b) {
    return z3::sext(a, 2) + z3::sext(b, 2);
  }
};

struct RoundingLemma {
  const char* what;
  std::function<z3::expr(const RoundingTerms&)> claim;
};

const std::vector<RoundingLemma>& RoundingLemmas() {
  static const std::vector<RoundingLemma> lemmas = {
      {"no step overflows if the result fits",
       [](const RoundingTerms& t) {
         const z3::expr sum = t.value + (t.alignment - 1);
         return z3::implies(t.fits,
                            RoundingTerms::WideSum(t.value, t.alignment - 1) == z3::sext(sum, 2));
       }},
      {"a multiple of the alignment", [](const RoundingTerms& t) { return t.IsMultiple(t.up); }},
      {"value <= result <= value + alignment - 1",
       [](const RoundingTerms& t) {
         const z3::expr most = RoundingTerms::WideSum(t.value, t.alignment - 1);
         return z3::implies(t.fits, t.value <= t.up && z3::sext(t.up, 2) <= most);
       }},
      {"multiples before the value stay as they are",
       [](const RoundingTerms& t) {
         const z3::expr rest = t.value - t.other;
         return z3::implies(t.fits && t.IsMultiple(t.other) && t.other <= t.value,
                            t.up == t.other + t.Up(rest));
       }},
      {"larger values do not get smaller results",
       [](const RoundingTerms& t) {
         return z3::implies(t.fits && t.other <= t.value, t.Up(t.other) <= t.up);
       }},
      {"a multiple of every smaller alignment",
       [](const RoundingTerms& t) {
         const z3::expr is_power = (t.other & (t.other - 1)) == t.Number(0) && t.other > 0;
         return z3::implies(is_power && t.other <= t.alignment,
                            (t.up & (t.other - 1)) == t.Number(0));
       }},
      {"a result that does not fit wraps below the value",
       [](const RoundingTerms& t) { return z3::implies(!t.fits, t.up < t.value); }},
  };
  return lemmas;
}

void ProveLemmas(RoundingFormula formula, double seconds, PlannerProof& proof) {
  constexpr double kMilliseconds = 1000;
  constexpr double kLongest = 1e9;
  z3::context context;
  const z3::expr alignment = context.bv_const("alignment", kBits);
  const z3::expr value = context.bv_const("value", kBits);
  // The largest multiple that there is lies an alignment below 2^63.
  const z3::expr fits = z3::sext(value, 2) + z3::sext(alignment, 2) <=
                        z3::zext(context.bv_val(uint64_t{1} << (kBits - 1), kBits), 2);
  const RoundingTerms terms{context,
                            alignment,
                            value,
                            context.bv_const("other", kBits),
                            fits,
                            formula,
                            RoundedWord(formula, value, alignment)};
  const RoundingClock::time_point begin = RoundingClock::now();
  for (const RoundingLemma& lemma : RoundingLemmas()) {
    z3::solver solver(context);
    const std::chrono::duration<double> spent = RoundingClock::now() - begin;
    const double left = std::clamp((seconds - spent.count()) * kMilliseconds, 1.0, kLongest);
    solver.set("timeout", static_cast<unsigned>(left));
    solver.set("ctrl_c", false);  // interrupts are the process's own affair
    solver.add(alignment > 0 && (alignment & (alignment - 1)) == terms.Number(0));
    solver.add(value >= 0 && terms.other >= 0);
    solver.add(!lemma.claim(terms));
    ++proof.queries;
    ++proof.paths;
    const z3::check_result result = solver.check();
    if (result == z3::unsat) continue;
    proof.why = lemma.what;
    proof.cut = result == z3::unknown;
    proof.answer = proof.cut ? Answer::kUnknown : Answer::kRefuted;
    if (proof.cut) return;
    const z3::model model = solver.get_model();
    proof.counterexample =
        fmt::format("value {}, alignment {}: violates: {}", model.eval(value, true).to_string(),
                    model.eval(alignment, true).to_string(), lemma.what);
    return;
  }
  proof.answer = Answer::kProved;
}

}  // namespace

PlannerProof ProveAlignUp(double seconds, RoundingFormula formula) {
  PlannerProof proof;
  proof.name = "rounding, 64-bit words";
  for (const RoundingLemma& lemma : RoundingLemmas()) {
    proof.what += proof.what.empty() ? "" : ", ";
    proof.what += lemma.what;
  }
  const RoundingClock::time_point begin = RoundingClock::now();
  try {
    ProveLemmas(formula, seconds, proof);
  } catch (const z3::exception& error) {
    proof.answer = Answer::kUnknown;
    proof.cut = true;
    proof.why = error.msg();
  }
  proof.seconds = std::chrono::duration<double>(RoundingClock::now() - begin).count();
  return proof;
}

}  // namespace pteproof::proofs
