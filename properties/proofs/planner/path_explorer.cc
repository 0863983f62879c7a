// Idea: run the planner's own code on symbolic integers. Each comparison that can go both ways is a
// decision: one way is taken now, the other is kept open. After a run the last open decision is
// turned around and the code runs again, until no decision is open:
//
//   run 1:  a <= b: yes   b <= c: yes            goals hold
//   run 2:  a <= b: yes   b <= c: no             goals hold
//   run 3:  a <= b: no    ...
//
// A concrete value of each variable follows the path, so the way that it takes needs no question;
// the solver is asked only whether the other way is possible.
//
// Invariant: decisions_[0, next_) are the comparisons of this run so far, in order. The solver has
// one level per decision that can go both ways, with the atom as it holds on this path, and values_
// satisfy all of them. The code must do the same whenever comparisons go the same way.
//
// Cost: one run of the code per path, and one query per new comparison that the known facts do not
// answer.
#include "properties/proofs/planner/path_explorer.h"

#include <algorithm>
#include <stdexcept>

namespace pteproof::proofs {
namespace {

// Thrown if the facts about a new variable show that rounding cannot take this way.
struct ImpossiblePath {};

// Towards minus infinity.
int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

PathExplorer::PathExplorer(double seconds)
    : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(seconds))) {}

PathReport PathExplorer::Explore(const std::function<void()>& body) {
  report_ = {};
  decisions_.clear();
  declared_ = 0;
  values_.clear();
  solver_.Push();
  try {
    do {
      BeginPath();
      try {
        body();
        ++report_.paths;
      } catch (const ImpossiblePath&) {
      }
    } while (TurnAround());
    report_.answer = Answer::kProved;
  } catch (const PathEnd& end) {
    report_.answer = end.why.empty() ? Answer::kRefuted : Answer::kUnknown;
    report_.why = end.why;
  } catch (const std::overflow_error& error) {
    report_.why = error.what();
  }
  for (const Decision& decision : decisions_) {
    if (decision.pushed) solver_.Pop();
  }
  solver_.Pop();
  return report_;
}

void PathExplorer::BeginPath() {
  next_ = 0;
  variables_ = 0;
  multiple_of_.clear();
  facts_.Clear();
  rounded_.clear();
}

// To the last decision whose other way is open; false: there is none.
bool PathExplorer::TurnAround() {
  while (!decisions_.empty() && !decisions_.back().open) {
    if (decisions_.back().pushed) solver_.Pop();
    decisions_.pop_back();
  }
  if (decisions_.empty()) return false;
  Decision& last = decisions_.back();
  solver_.Pop();
  solver_.Push();
  last.atom = Negation(last.atom);
  solver_.Add(last.atom);
  last.open = false;
  last.followed = false;
  values_ = std::move(last.other_values);
  declared_ = last.declared;
  return true;
}

SymbolicInt PathExplorer::Variable(int64_t least) {
  const LinearSum variable = NewVariable(least, least, {});
  Declare(variable, {{Minus({least}, variable)}});
  return {this, variable};
}

SymbolicInt PathExplorer::MultipleOf(const SymbolicInt& alignment) {
  const bool exact = alignment.sum.IsConstant();
  const LinearSum variable = NewVariable(0, 0, exact ? LinearSum{} : alignment.sum);
  Declare(variable, {{Minus({0}, variable)}});
  return {this, exact ? Times(variable, alignment.sum.constant) : variable};
}

// `value`: a possible value, if this way has no value for the variable yet.
LinearSum PathExplorer::NewVariable(std::optional<int64_t> least, int64_t value,
                                    LinearSum multiple_of) {
  const int32_t variable = variables_++;
  multiple_of_.push_back(std::move(multiple_of));
  facts_.AddVariable(least);
  if (values_.size() <= static_cast<size_t>(variable)) values_.push_back(value);
  return VariableSum(variable);
}

// Adds the facts about the newest variable. The solver remembers them in later runs.
void PathExplorer::Declare(const LinearSum& variable, const std::vector<PathAtom>& atoms) {
  for (const PathAtom& atom : atoms) facts_.Learn(atom);
  if (variable.terms.front().variable < declared_) return;
  declared_ = variables_;
  Assert(atoms);
}

// Adds consequences of this path, also for the solver. The values must keep up with them.
void PathExplorer::Assert(const std::vector<PathAtom>& atoms) {
  for (const PathAtom& atom : atoms) solver_.Add(atom);
  const bool fits =
      std::ranges::all_of(atoms, [&](const PathAtom& atom) { return Holds(atom, values_); });
  if (fits) return;
  PathSolver::Reply reply = Ask({{}});
  if (!*reply.possible) throw ImpossiblePath{};
  values_ = std::move(reply.values);
}

PathSolver::Reply PathExplorer::Ask(const std::vector<std::vector<PathAtom>>& cases) {
  if (Clock::now() >= deadline_) throw PathEnd{"the time limit"};
  ++report_.queries;
  PathSolver::Reply reply = solver_.Ask(cases, variables_);
  if (!reply.possible) throw PathEnd{"the solver: " + reply.why};
  return reply;
}

bool PathExplorer::Decide(const PathAtom& atom) {
  if (const auto known = facts_.Known(atom)) return *known;
  if (next_ == decisions_.size()) {
    Decision decision;
    decision.atom = Holds(atom, values_) ? atom : Negation(atom);
    PathSolver::Reply other = Ask({{Negation(decision.atom)}});
    decision.open = decision.pushed = *other.possible;
    decision.declared = declared_;
    decision.other_values = std::move(other.values);
    if (decision.pushed) {
      solver_.Push();
      solver_.Add(decision.atom);
    }
    decisions_.push_back(std::move(decision));
  }
  Decision& decision = decisions_[next_++];
  facts_.Learn(decision.atom);
  if (decision.atom.sign == SumSign::kAtMostZero) {
    std::vector<PathAtom> atoms;
    for (const Rounding& rounding : rounded_) AddLeastMultiple(rounding, decision.atom.sum, atoms);
    for (const PathAtom& atom : atoms) facts_.Learn(atom);
    if (!decision.followed) Assert(atoms);
    decision.followed = true;
  }
  // One of the two is `atom` itself: the same run went the same way up to here.
  return facts_.Known(atom).value();
}

// A multiple that is not below the value is not below the rounded value; one that is below the
// value is below the rounded value by an alignment. `at_most_zero` is value - multiple, or multiple
// - value + 1, or has nothing to do with it.
void PathExplorer::AddLeastMultiple(const Rounding& rounding, const LinearSum& at_most_zero,
                                    std::vector<PathAtom>& atoms) const {
  const LinearSum multiple = Minus(at_most_zero, rounding.value);
  if (AllMultiples(multiple, rounding.alignment))
    atoms.push_back({Plus(rounding.result, multiple)});
  const LinearSum below = Plus(Plus(at_most_zero, rounding.value), -1);
  if (AllMultiples(below, rounding.alignment)) {
    atoms.push_back({Plus(Minus(below, rounding.result), rounding.alignment)});
  }
}

// From the known facts about the variables, without a question.
bool PathExplorer::AllMultiples(const LinearSum& sum, const LinearSum& alignment) const {
  return sum.constant == 0 && std::ranges::all_of(sum.terms, [&](const LinearTerm& term) {
           return multiple_of_[static_cast<size_t>(term.variable)] == alignment;
         });
}

bool PathExplorer::IsMultiple(const LinearTerm& term, const LinearSum& alignment) {
  if (alignment.IsConstant() && term.factor % alignment.constant == 0) return true;
  const LinearSum& tag = multiple_of_[static_cast<size_t>(term.variable)];
  if (tag == LinearSum{}) return false;
  return tag == alignment || Decide({Minus(alignment, tag)});
}

LinearSum PathExplorer::RoundUp(const LinearSum& value, const LinearSum& alignment) {
  if (alignment == LinearSum{1}) return value;
  LinearSum aligned;
  LinearSum rest{value.constant};
  for (const LinearTerm& term : value.terms) {
    (IsMultiple(term, alignment) ? aligned : rest).terms.push_back(term);
  }
  if (alignment.IsConstant()) {
    aligned.constant = FloorDiv(rest.constant, alignment.constant) * alignment.constant;
    rest.constant -= aligned.constant;
  }
  if (rest == LinearSum{}) return aligned;
  const auto known = std::ranges::find_if(rounded_, [&](const Rounding& each) {
    return facts_.Known({Minus(each.alignment, alignment), SumSign::kZero}).value_or(false) &&
           facts_.Known({Minus(each.value, rest), SumSign::kZero}).value_or(false);
  });
  if (known != rounded_.end()) return Plus(aligned, known->result);
  rounded_.push_back({rest, alignment, Rounded(rest, alignment)});
  return Plus(aligned, rounded_.back().result);
}

// Of a value no part of which is known to be a multiple.
LinearSum PathExplorer::Rounded(const LinearSum& value, const LinearSum& alignment) {
  std::optional<int64_t> least = facts_.LeastOf(value);
  const int64_t now = ValueOf(value, values_);
  LinearSum variable;
  LinearSum result;
  if (alignment.IsConstant()) {
    const int64_t unit = alignment.constant;
    if (least) least = FloorDiv(*least + unit - 1, unit);
    variable = NewVariable(least, FloorDiv(now + unit - 1, unit), {});
    result = Times(variable, unit);
  } else {
    const int64_t unit = ValueOf(alignment, values_);
    result = variable = NewVariable(least, FloorDiv(now + unit - 1, unit) * unit, alignment);
  }
  std::vector<PathAtom> atoms{{Minus(value, result)},
                              {Minus(Minus(result, value), Plus(alignment, -1))}};
  for (const Rounding& other : rounded_) {  // it is monotone
    if (other.alignment != alignment) continue;
    if (facts_.Known({Minus(other.value, value)}).value_or(false)) {
      atoms.push_back({Minus(other.result, result)});
    }
    if (facts_.Known({Minus(value, other.value)}).value_or(false)) {
      atoms.push_back({Minus(result, other.result)});
    }
  }
  if (!alignment.IsConstant()) {
    for (const LinearSum& fact : facts_.AtMostZero()) {
      AddLeastMultiple({value, alignment, result}, fact, atoms);
    }
  }
  Declare(variable, atoms);
  return result;
}

void PathExplorer::Require(const std::vector<PathGoal>& goals) {
  std::vector<std::vector<PathAtom>> broken;
  std::vector<const PathGoal*> asked;
  for (const PathGoal& goal : goals) {
    const bool known = std::ranges::any_of(
        goal.any_of, [&](const PathAtom& atom) { return facts_.Known(atom).value_or(false); });
    if (known) continue;
    asked.push_back(&goal);
    std::vector<PathAtom>& all = broken.emplace_back();
    for (const PathAtom& atom : goal.any_of) all.push_back(Negation(atom));
  }
  if (asked.empty()) return;
  const PathSolver::Reply reply = Ask(broken);
  if (!*reply.possible) return;
  report_.values = reply.values;
  for (size_t g = 0; g < asked.size(); ++g) {
    const bool is_broken = std::ranges::all_of(
        broken[g], [&](const PathAtom& atom) { return Holds(atom, reply.values); });
    if (is_broken) report_.property = asked[g]->property;
  }
  throw PathEnd{};
}

}  // namespace pteproof::proofs
