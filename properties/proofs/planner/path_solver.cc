#include "properties/proofs/planner/path_solver.h"

#include <z3++.h>

namespace pteproof::proofs {

struct PathSolver::Z3 {
  z3::context context;
  z3::solver solver{context, z3::solver::simple()};
  std::vector<z3::expr> variables;
  std::string fault;  // the first one; nothing is known after it

  const z3::expr& Variable(int32_t variable) {
    while (variables.size() <= static_cast<size_t>(variable)) {
      variables.push_back(context.int_const(("v" + std::to_string(variables.size())).c_str()));
    }
    return variables[static_cast<size_t>(variable)];
  }

  z3::expr TermOf(const LinearSum& sum) {
    z3::expr_vector parts(context);
    parts.push_back(context.int_val(sum.constant));
    for (const LinearTerm& term : sum.terms) {
      const z3::expr& variable = Variable(term.variable);
      parts.push_back(term.factor == 1 ? variable : context.int_val(term.factor) * variable);
    }
    return z3::sum(parts);
  }

  z3::expr TermOf(const PathAtom& atom) {
    const z3::expr sum = TermOf(atom.sum);
    switch (atom.sign) {
      case SumSign::kAtMostZero:
        return sum <= 0;
      case SumSign::kZero:
        return sum == 0;
      case SumSign::kNotZero:
        return sum != 0;
    }
    return context.bool_val(false);
  }

  // One of them holds throughout.
  z3::expr TermOf(const std::vector<std::vector<PathAtom>>& cases) {
    z3::expr_vector any(context);
    for (const std::vector<PathAtom>& atoms : cases) {
      z3::expr_vector all(context);
      for (const PathAtom& atom : atoms) all.push_back(TermOf(atom));
      any.push_back(z3::mk_and(all));
    }
    return z3::mk_or(any);
  }

  // Whether it went well.
  bool ReadModel(int32_t count, std::vector<int64_t>& values) {
    const z3::model model = solver.get_model();
    for (int32_t v = 0; v < count; ++v) {
      int64_t value = 0;
      if (!model.eval(Variable(v), true).is_numeral_i64(value)) return false;
      values.push_back(value);
    }
    return true;
  }
};

PathAtom Negation(const PathAtom& atom) {
  switch (atom.sign) {
    case SumSign::kAtMostZero:  // 1 - sum <= 0
      return {Minus({1}, atom.sum), SumSign::kAtMostZero};
    case SumSign::kZero:
      return {atom.sum, SumSign::kNotZero};
    case SumSign::kNotZero:
      return {atom.sum, SumSign::kZero};
  }
  return atom;
}

bool Holds(const PathAtom& atom, const std::vector<int64_t>& values) {
  const int64_t value = ValueOf(atom.sum, values);
  if (atom.sign == SumSign::kAtMostZero) return value <= 0;
  return (value == 0) == (atom.sign == SumSign::kZero);
}

// Work is limited and not time: with a timeout each question would wake a thread to watch the
// clock, which takes longer than most answers.
PathSolver::PathSolver() : z3_(std::make_unique<Z3>()) {
  constexpr unsigned kMostWork = 100'000'000;  // seconds
  try {
    z3::params params(z3_->context);
    params.set("rlimit", kMostWork);
    params.set("ctrl_c", false);  // interrupts are the process's own affair
    z3_->solver.set(params);
  } catch (const z3::exception& e) {
    z3_->fault = e.msg();
  }
}
PathSolver::~PathSolver() = default;

void PathSolver::Push() try { z3_->solver.push(); } catch (const z3::exception& e) {
  z3_->fault = e.msg();
}

void PathSolver::Pop() try { z3_->solver.pop(); } catch (const z3::exception& e) {
  z3_->fault = e.msg();
}

void PathSolver::Add(const PathAtom& atom) try {
  z3_->solver.add(z3_->TermOf(atom));
} catch (const z3::exception& e) {
  z3_->fault = e.msg();
}

PathSolver::Reply PathSolver::Ask(const std::vector<std::vector<PathAtom>>& cases,
                                  int32_t variables) try {
  if (!z3_->fault.empty()) return {.why = z3_->fault};
  z3_->solver.push();
  z3_->solver.add(z3_->TermOf(cases));
  Reply reply;
  const z3::check_result result = z3_->solver.check();
  if (result == z3::unknown) reply.why = z3_->solver.reason_unknown();
  if (result == z3::unsat) reply.possible = false;
  if (result == z3::sat) {
    if (z3_->ReadModel(variables, reply.values)) reply.possible = true;
    if (!reply.possible) reply.why = "a model beyond 64 bits";
  }
  z3_->solver.pop();
  return reply;
} catch (const z3::exception& e) {
  z3_->fault = e.msg();
  return {.why = z3_->fault};
}

}  // namespace pteproof::proofs
