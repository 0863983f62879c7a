#include "properties/proofs/solver/z3_solver.h"

#include <z3++.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "properties/proofs/solver/decide.h"

namespace pteproof::proofs {

// The symbols of all queries are the same x0, x1 .., by position, and so are the facts' literals:
// the context does not grow with the number of queries.
struct Z3Solver::State {
  z3::context context;
  z3::solver solver{context, z3::solver::simple()};
  std::vector<z3::expr> symbols;
  std::vector<z3::expr> literals;
  bool interrupted = false;  // by a Backstop: the next query gets a new context
};

namespace {

// An Algebra of SizeExpr::In. Z3's div and mod leave a remainder that is never negative.
struct TermAlgebra {
  using Value = z3::expr;
  const Query* query;
  z3::context* context;
  const std::vector<z3::expr>* symbols;
  bool non_linear = false;

  [[nodiscard]] Value Number(int64_t number) const { return context->int_val(number); }

  [[nodiscard]] Value Symbol(int32_t id) const {
    const auto at = std::ranges::find(query->mentioned, id, &QuerySymbol::id);
    return (*symbols)[static_cast<size_t>(at - query->mentioned.begin())];
  }

  static Value Add(const Value& a, const Value& b) { return a + b; }

  Value Multiply(const Value& a, const Value& b) {
    non_linear = non_linear || (!a.is_numeral() && !b.is_numeral());
    return a * b;
  }

  Value FloorDivide(const Value& a, const Value& b) {
    const std::optional<int64_t> by = Divisor(b);
    if (by == 0) return Number(0);
    if (by && *by > 0) return a / b;
    return ite(b == 0, Number(0), ite(b > 0, a / b, (-a) / (-b)));
  }

  Value Modulo(const Value& a, const Value& b) {
    const std::optional<int64_t> by = Divisor(b);
    if (by == 0) return Number(0);
    if (by && *by > 0) return mod(a, b);
    return ite(b == 0, Number(0), ite(b > 0, mod(a, b), -mod(-a, -b)));
  }

  static Value Minimum(const Value& a, const Value& b) { return ite(a <= b, a, b); }
  static Value Maximum(const Value& a, const Value& b) { return ite(a <= b, b, a); }

 private:
  std::optional<int64_t> Divisor(const Value& b) {
    int64_t number = 0;
    if (b.is_numeral() && b.is_numeral_i64(number)) return number;
    non_linear = true;
    return std::nullopt;
  }
};

struct Terms {
  std::vector<z3::expr> facts;
  z3::expr refutation;
  bool non_linear = false;
};

z3::expr TermOf(const Comparison& of, TermAlgebra& algebra) {
  const z3::expr left = of.left.In(algebra);
  const z3::expr right = of.right.In(algebra);
  switch (of.relation) {
    case Relation::kLess:
      return left < right;
    case Relation::kLessEqual:
      return left <= right;
    default:
      return left == right;
  }
}

z3::expr TermOf(const Fact& fact, const Symbol& symbol, TermAlgebra& algebra) {
  const z3::expr term = algebra.Symbol(fact.id);
  switch (fact.kind) {
    case Fact::Kind::kAtLeast:
      return term >= algebra.Number(symbol.lo);
    case Fact::Kind::kAtMost:
      return term <= algebra.Number(*symbol.hi);
    default:
      return term == symbol.definition->In(algebra);
  }
}

Terms TermsOf(const Query& query, z3::context& context, const std::vector<z3::expr>& symbols) {
  TermAlgebra algebra{&query, &context, &symbols};
  z3::expr_vector goal(context);
  for (const Comparison& comparison : *query.goal) goal.push_back(TermOf(comparison, algebra));
  Terms terms{{}, goal.empty() ? context.bool_val(true) : !z3::mk_or(goal)};
  for (const Fact& fact : FactsOf(query)) {
    const Symbol& symbol = (*query.symbols)[static_cast<size_t>(fact.id)];
    terms.facts.push_back(TermOf(fact, symbol, algebra));
  }
  terms.non_linear = algebra.non_linear;
  return terms;
}

std::string LateText(uint32_t milliseconds) {
  return "no answer within " + std::to_string(milliseconds) + " ms";
}

std::string ReasonText(const z3::solver& solver, uint32_t milliseconds) {
  const std::string reason = solver.reason_unknown();
  if (reason == "timeout" || reason == "canceled" || reason.starts_with("interrupted") ||
      reason.find("resource limit") != std::string::npos) {
    return LateText(milliseconds);
  }
  if (reason == "memout") return "the solver ran out of memory";
  return "the solver gave up: " + (reason.empty() ? "no reason given" : reason);
}

std::vector<std::optional<int64_t>> ValuesIn(const z3::model& model, const Query& query,
                                             const std::vector<z3::expr>& symbols) {
  std::vector<std::optional<int64_t>> values;
  for (size_t s = 0; s < query.mentioned.size(); ++s) {
    int64_t value = 0;
    const z3::expr term = model.eval(symbols[s], true);
    const bool fits = term.is_numeral() && term.is_numeral_i64(value);
    values.push_back(fits ? std::optional(value) : std::nullopt);
  }
  return values;
}

// Pops the pushed facts, however the query ends.
class Scope {
 public:
  explicit Scope(z3::solver& solver) : solver_(solver) { solver_.push(); }
  ~Scope() {
    try {
      solver_.pop();
    } catch (const z3::exception&) {  // the state is thrown away then
    }
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  z3::solver& solver_;
};

// Steps of Z3's own count, some tens of milliseconds of linear work. A limit in time costs a change
// of threads for each query, so that of linear ones only those that outlast this one get it. Among
// polynomials one step may take seconds.
constexpr unsigned kFewSteps = 200'000;

void LimitSteps(z3::context& context, z3::solver& solver) {
  z3::params params(context);
  params.set("rlimit", kFewSteps);
  params.set("timeout", UINT_MAX);
  params.set("ctrl_c", false);  // interrupts are the process's own affair
  solver.set(params);
}

void LimitTime(z3::context& context, z3::solver& solver, int64_t milliseconds) {
  z3::params params(context);
  params.set("rlimit", 0U);
  params.set("timeout", static_cast<unsigned>(std::clamp<int64_t>(milliseconds, 1, UINT_MAX - 1)));
  params.set("ctrl_c", false);
  solver.set(params);
}

// All but which facts were needed.
Outcome OutcomeOf(z3::check_result result, const z3::solver& solver, const Query& query,
                  const std::vector<z3::expr>& symbols, uint32_t milliseconds) {
  Outcome outcome;
  if (result == z3::unsat) {
    outcome.kind = Outcome::Kind::kUnsat;
  } else if (result == z3::sat) {
    outcome.kind = Outcome::Kind::kSat;
    outcome.values = ValuesIn(solver.get_model(), query, symbols);
  } else {
    outcome.reason = ReasonText(solver, milliseconds);
  }
  return outcome;
}

// Interrupts a query that goes on long after its time. Z3's own limit rings once, and if that is
// before the search has begun, as it may be on a busy machine, nothing hears it. So this one rings
// until the query ends. A context that was interrupted is of no further use.
class Backstop {
 public:
  Backstop(z3::context& context, int64_t milliseconds)
      : clock_([this, &context, milliseconds](const std::stop_token& over) {
          std::unique_lock lock(mutex_);
          auto wait = std::chrono::milliseconds(milliseconds) + kPatience;
          while (!ends_.wait_for(lock, over, wait, [&] { return over.stop_requested(); })) {
            has_rung_ = true;
            context.interrupt();
            wait = kAgain;
          }
        }) {}

  [[nodiscard]] bool has_rung() const { return has_rung_; }

 private:
  static constexpr std::chrono::milliseconds kPatience{2000};
  static constexpr std::chrono::milliseconds kAgain{20};

  std::mutex mutex_;
  std::condition_variable_any ends_;
  std::atomic<bool> has_rung_ = false;
  std::jthread clock_;
};

// Facts as assumptions, so that an unsat answer names those that it used.
Outcome AskIncrementally(const Query& query, const Terms& terms, z3::solver& solver,
                         const std::vector<z3::expr>& symbols,
                         const std::vector<z3::expr>& literals, uint32_t milliseconds) {
  const Scope scope(solver);
  solver.add(terms.refutation);
  z3::expr_vector assumptions(terms.refutation.ctx());
  for (size_t f = 0; f < terms.facts.size(); ++f) {
    solver.add(implies(literals[f], terms.facts[f]));
    assumptions.push_back(literals[f]);
  }
  Outcome outcome = OutcomeOf(solver.check(assumptions), solver, query, symbols, milliseconds);
  if (outcome.kind != Outcome::Kind::kUnsat) return outcome;
  const z3::expr_vector core = solver.unsat_core();
  for (size_t f = 0; f < terms.facts.size(); ++f) {
    for (const z3::expr literal : core) {
      if (z3::eq(literal, literals[f])) outcome.core.push_back(f);
    }
  }
  return outcome;
}

// By the tactic for polynomials, which is stronger and keeps nothing from query to query. Any
// fact may have been used.
Outcome AskAlone(const Query& query, const Terms& terms, z3::context& context,
                 const std::vector<z3::expr>& symbols, uint32_t milliseconds, int64_t left) {
  z3::solver solver(context, "QF_NIA");
  LimitTime(context, solver, left);
  solver.add(terms.refutation);
  for (const z3::expr& fact : terms.facts) solver.add(fact);
  Outcome outcome = OutcomeOf(solver.check(), solver, query, symbols, milliseconds);
  if (outcome.kind != Outcome::Kind::kUnsat) return outcome;
  for (size_t f = 0; f < terms.facts.size(); ++f) outcome.core.push_back(f);
  return outcome;
}

Outcome Failed(const std::string& why) {
  Outcome outcome;
  outcome.reason = "the solver failed: " + why;
  return outcome;
}

}  // namespace

Z3Solver::Z3Solver(uint32_t megabytes) {
  // Where search looks at it and gives up; a hard limit would end the process within Z3.
  const uint64_t bytes = std::min<uint64_t>(uint64_t{megabytes} << 20U, UINT32_MAX);
  Z3_global_param_set("memory_high_watermark", std::to_string(bytes).c_str());
}

Z3Solver::~Z3Solver() = default;

Outcome Z3Solver::Ask(const Query& query, uint32_t milliseconds) {
  try {
    if (!state_ || state_->interrupted) {
      state_ = std::make_unique<State>();
      LimitSteps(state_->context, state_->solver);
    }
    State& state = *state_;
    for (size_t s = state.symbols.size(); s < query.mentioned.size(); ++s) {
      state.symbols.push_back(state.context.int_const(("x" + std::to_string(s)).c_str()));
    }
    const Terms terms = TermsOf(query, state.context, state.symbols);
    for (size_t f = state.literals.size(); f < terms.facts.size(); ++f) {
      state.literals.push_back(state.context.bool_const(("f" + std::to_string(f)).c_str()));
    }
    z3::solver& solver = state.solver;
    const auto ask = [&] {
      return AskIncrementally(query, terms, solver, state.symbols, state.literals, milliseconds);
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    const auto left = [&] {
      return std::chrono::duration_cast<std::chrono::milliseconds>(end -
                                                                   std::chrono::steady_clock::now())
          .count();
    };
    const auto settled = [&](Outcome& outcome) {
      if (outcome.kind != Outcome::Kind::kUnknown) return true;
      if (left() <= 0) outcome.reason = LateText(milliseconds);
      return left() <= 0;
    };
    Outcome outcome;
    if (!terms.non_linear) {
      outcome = ask();
      if (settled(outcome)) return outcome;
    }
    const Backstop backstop(state.context, left());
    // Where both ways are tried, each has a share of the time.
    LimitTime(state.context, solver, terms.non_linear ? left() / 4 : left());
    outcome = ask();
    LimitSteps(state.context, solver);
    if (!settled(outcome) && terms.non_linear) {
      outcome = AskAlone(query, terms, state.context, state.symbols, milliseconds, left());
      static_cast<void>(settled(outcome));
    }
    state.interrupted = backstop.has_rung();
    return outcome;
  } catch (const z3::exception& exception) {
    const std::string why = exception.msg();
    state_.reset();
    return Failed(why);
  } catch (const std::bad_alloc&) {
    state_.reset();
    return Failed("out of memory");
  }
}

std::string Z3Version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace pteproof::proofs
