// Idea: deletion of facts, one by one. All facts are assumed; if the goal cannot hold with them,
// each fact in turn is left out, and stays out if the goal still cannot hold.
//
//   {f0, f1, f2} unsat   without f0: unsat, drop   without f1: sat, keep   without f2: sat, keep
//
// Invariant: the goal cannot hold with `kept`. A fact before `at` is necessary: without it, and
// with the others of `kept`, the goal can hold. This stays true when later facts are dropped.
//
// Cost: one query per fact. Of more than kFewFacts facts only the ones that the solver names in its
// first answer are tried.
#include "properties/explain/fact_core.h"

#include <z3++.h>

#include <numeric>

namespace pteproof::explain {
namespace {

using proofs::Comparison;
using proofs::Relation;

// An Algebra of SizeExpr::In; facts about places and times use sums only.
struct SumAlgebra {
  using Value = z3::expr;
  z3::context* context;
  const std::vector<z3::expr>* symbols;

  [[nodiscard]] Value Number(int64_t number) const { return context->int_val(number); }
  [[nodiscard]] Value Symbol(int32_t id) const { return (*symbols)[static_cast<size_t>(id)]; }
  static Value Add(const Value& a, const Value& b) { return a + b; }
  static Value Multiply(const Value& a, const Value& b) { return a * b; }
  static Value FloorDivide(const Value& a, const Value& b) { return a / b; }
  static Value Modulo(const Value& a, const Value& b) { return mod(a, b); }
  static Value Minimum(const Value& a, const Value& b) { return ite(a <= b, a, b); }
  static Value Maximum(const Value& a, const Value& b) { return ite(a <= b, b, a); }
};

// Of the solver's own count, for each question: some tenths of a second, the same on every machine.
constexpr unsigned kMostSteps = 2'000'000;

class CoreSearch {
 public:
  explicit CoreSearch(const FactQuestion& question) : solver_(context_) {
    z3::params params(context_);
    params.set("rlimit", kMostSteps);
    params.set("ctrl_c", false);
    solver_.set(params);
    for (int32_t s = 0; s < question.symbols; ++s) {
      symbols_.push_back(context_.int_const(("x" + std::to_string(s)).c_str()));
    }
    for (const Comparison& each : question.always) solver_.add(TermOf(each));
    z3::expr_vector goal(context_);
    for (const Comparison& each : question.goal) goal.push_back(TermOf(each));
    solver_.add(goal.empty() ? context_.bool_val(false) : z3::mk_or(goal));
    for (size_t f = 0; f < question.facts.size(); ++f) {
      literals_.push_back(context_.bool_const(("f" + std::to_string(f)).c_str()));
      for (const Comparison& each : question.facts[f]) {
        solver_.add(implies(literals_.back(), TermOf(each)));
      }
    }
  }

  // Whether the goal cannot hold with these facts.
  [[nodiscard]] z3::check_result Ask(const std::vector<size_t>& facts) {
    z3::expr_vector assumptions(context_);
    for (const size_t f : facts) assumptions.push_back(literals_[f]);
    return solver_.check(assumptions);
  }

  // Those of the last answer, which was unsat.
  [[nodiscard]] std::vector<size_t> Named() {
    std::vector<size_t> named;
    const z3::expr_vector core = solver_.unsat_core();
    for (size_t f = 0; f < literals_.size(); ++f) {
      for (const z3::expr literal : core) {
        if (z3::eq(literal, literals_[f])) named.push_back(f);
      }
    }
    return named;
  }

 private:
  [[nodiscard]] z3::expr TermOf(const Comparison& of) {
    SumAlgebra algebra{&context_, &symbols_};
    const z3::expr left = of.left.In(algebra);
    const z3::expr right = of.right.In(algebra);
    if (of.relation == Relation::kEqual) return left == right;
    return of.relation == Relation::kLess ? left < right : left <= right;
  }

  z3::context context_;
  z3::solver solver_;
  std::vector<z3::expr> symbols_;
  std::vector<z3::expr> literals_;
};

FactCore NoCore(std::string why) {
  return {{}, std::move(why)};
}

// Of so many facts all are tried in their order; of more those that the solver names.
constexpr size_t kFewFacts = 64;

FactCore Search(const FactQuestion& question) {
  CoreSearch search(question);
  std::vector<size_t> kept(question.facts.size());
  std::iota(kept.begin(), kept.end(), size_t{0});
  const z3::check_result all = search.Ask(kept);
  if (all == z3::sat) return NoCore("not determined, as the known facts do not suffice");
  if (all != z3::unsat)
    return NoCore("not determined, as the solver gave no answer within its limit");
  if (kept.size() > kFewFacts) kept = search.Named();
  for (size_t at = 0; at < kept.size();) {
    std::vector<size_t> without = kept;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
    const z3::check_result answer = search.Ask(without);
    if (answer == z3::unknown)
      return NoCore("not determined, as the solver gave no answer within its limit");
    if (answer == z3::unsat) {
      kept = std::move(without);
    } else {
      ++at;
    }
  }
  return {kept, ""};
}

}  // namespace

FactCore SmallestCore(const FactQuestion& question) {
  try {
    return Search(question);
  } catch (const z3::exception& exception) {
    return NoCore(std::string("not determined, as the solver failed: ") + exception.msg());
  }
}

}  // namespace pteproof::explain
