// Idea: a goal over defined symbols (n.bytes = 4 * rows * columns) is nonlinear if it is asked with
// the definitions, and linear if it is asked with their bounds. So bounds are shown first, each
// once, and then used as lemmas:
//
//   1. the range of each free symbol holds a number                           else: vacuous
//   2. each defined symbol lies within its bounds, by its definition          a lemma
//   3. the goal, from the bounds alone           unsat: proved, kLemmas
//   4. the goal, from definitions and bounds     unsat: proved, sat: refuted, kDefinitions
//
// A model of step 3 is not a refutation, since no dims may give it. Models are evaluated here again
// (model_check.h), and a proof is checked for facts that cannot be met.
//
// Invariant: `bounded` is true only for a symbol whose bounds were shown from its definition, or
// that has none. Symbols are examined in ascending order, so the parts of a definition come first.
//
// Cost: at most three queries per goal and four per defined symbol, within the time limit of each.
#include "properties/proofs/solver/settle.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <utility>

#include "base/file_name.h"
#include "base/stop.h"
#include "properties/proofs/solver/concrete.h"
#include "properties/proofs/solver/model_check.h"
#include "properties/proofs/solver/smt_text.h"

namespace pteproof::proofs {
namespace {

using Clock = std::chrono::steady_clock;

// The time limit of a query for additional information.
constexpr std::chrono::seconds kForWhatIsNoAnswer{1};

Answer AnswerOf(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kUnsat:
      return Answer::kProved;
    case Outcome::Kind::kSat:
      return Answer::kRefuted;
    default:
      return Answer::kUnknown;
  }
}

bool AnyRange(const Query& query) {
  return std::ranges::any_of(query.mentioned,
                             [](const QuerySymbol& symbol) { return symbol.assumed.range; });
}

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct Settler::Task {
  const Clause& goal;
  const std::string& name;
  const std::string& comment;
  Clock::time_point end;
};

Settler::Settler(const Symbols& symbols, const DecideOptions& options)
    : symbols_(symbols), options_(options), solvers_(options), states_(symbols.size()) {
  for (const Symbol& symbol : symbols) names_.push_back(symbol.name);
}

Decision Settler::Settle(const Clause& goal, const std::string& name, const std::string& comment) {
  if (!Prepare(goal)) {
    Decision decision;
    decision.reason = "it mentions an undefined symbol, or a definition mentions a later symbol";
    return decision;
  }
  const Clock::time_point start = Clock::now();
  const Task task{goal, name, comment, start + std::chrono::milliseconds(options_.milliseconds)};
  Decision decision = SettlePrepared(task);
  decision.seconds = SecondsSince(start);
  return decision;
}

// Examines all symbols that the goal depends on, those first that others depend on.
bool Settler::Prepare(const Clause& goal) {
  bool ready = true;
  const std::optional<Query> direct =
      MakeQuery(symbols_, goal, [&](int32_t) { return Assumed{false, false}; });
  if (!direct) return false;
  for (const QuerySymbol& symbol : direct->mentioned) {
    ready = ready && states_[static_cast<size_t>(symbol.id)].asked;
  }
  if (ready) return true;
  const std::optional<Query> all =
      MakeQuery(symbols_, goal, [](int32_t) { return Assumed{false, true}; });
  if (!all) return false;
  std::vector<int32_t> ids;
  for (const QuerySymbol& symbol : all->mentioned) ids.push_back(symbol.id);
  std::ranges::sort(ids);
  for (const int32_t id : ids) Examine(id);
  return true;
}

// A free symbol: whether its range holds a number. A defined one: whether its bounds follow from
// its definition.
void Settler::Examine(int32_t id) {
  SymbolState& state = states_[static_cast<size_t>(id)];
  if (state.asked) return;
  state.asked = true;
  const Symbol& symbol = symbols_[static_cast<size_t>(id)];
  const std::string name = std::to_string(id);
  if (!symbol.definition) {
    state.bounded = true;
    const Clause never;
    const Query range{&symbols_, {{id, {true, false}}}, &never};
    const std::string file = "range-" + name;
    const std::string comment = "sat: the range of " + symbol.name + " holds a number";
    const Task task{never, file, comment,
                    Clock::now() + std::chrono::milliseconds(options_.milliseconds)};
    Decision unused;
    const Outcome outcome = Ask(task, range, "", unused);
    state.met = outcome.kind;
    state.reason = outcome.reason;
    return;
  }
  const std::string text = "unsat: not " + symbol.definition->ToText(names_);
  state.bounded = ShowsBound({{symbol.lo, Relation::kLessEqual, *symbol.definition}},
                             "bound-" + name + "-least", text + " >= " + std::to_string(symbol.lo));
  if (symbol.hi && state.bounded) {
    state.bounded =
        ShowsBound({{*symbol.definition, Relation::kLessEqual, *symbol.hi}},
                   "bound-" + name + "-most", text + " <= " + std::to_string(*symbol.hi));
  }
  state.met = Outcome::Kind::kSat;
  for (const int32_t part : symbol.definition->Symbols()) {
    const SymbolState& of = states_[static_cast<size_t>(part)];
    if (state.met == Outcome::Kind::kUnsat || of.met == Outcome::Kind::kSat) continue;
    state.met = of.met;
    state.reason = of.reason;
  }
}

bool Settler::ShowsBound(const Clause& bound, const std::string& name, const std::string& comment) {
  const Task task{bound, name, comment,
                  Clock::now() + std::chrono::milliseconds(options_.milliseconds)};
  Query query;
  Decision unused;
  return AskBoth(task, query, unused).kind == Outcome::Kind::kUnsat;
}

// From bounds, and where they do not suffice, from definitions; `query` is the one that decided.
Outcome Settler::AskBoth(const Task& task, Query& query, Decision& decision) {
  query = *MakeQuery(symbols_, task.goal, [&](int32_t id) {
    const bool bounded = states_[static_cast<size_t>(id)].bounded;
    return Assumed{bounded, !bounded};
  });
  bool lemmas = false;
  for (const QuerySymbol& symbol : query.mentioned) {
    const bool defined = symbols_[static_cast<size_t>(symbol.id)].definition.has_value();
    if (symbol.assumed.definition) decision.unshown.push_back(symbol.id);
    lemmas = lemmas || (defined && !symbol.assumed.definition);
  }
  std::ranges::sort(decision.unshown);
  decision.how = !decision.unshown.empty() ? How::kDefinitions
                 : lemmas                  ? How::kLemmas
                                           : How::kSolver;
  Outcome outcome = Ask(task, query, "", decision);
  if (!lemmas || outcome.kind == Outcome::Kind::kUnsat) return outcome;
  // A model, if any, meets only the bounds: there may be no dims that give it.
  query = *MakeQuery(symbols_, task.goal, [&](int32_t id) {
    return Assumed{states_[static_cast<size_t>(id)].bounded, true};
  });
  decision.how = How::kDefinitions;
  return Ask(task, query, "-definitions", decision);
}

Decision Settler::SettlePrepared(const Task& task) {
  Decision decision;
  if (Fold(task, decision)) return decision;
  Query query;
  const Outcome outcome = AskBoth(task, query, decision);
  Conclude(query, outcome, decision);
  AskSecond(query, outcome, decision);
  if (decision.answer != Answer::kProved) return decision;
  CheckFacts(query, decision);
  if (decision.answer == Answer::kProved && AnyRange(query)) {
    decision.needs_no_facts = HoldsWithoutFacts(task, decision);
  }
  return decision;
}

bool Settler::Fold(const Task& task, Decision& decision) const {
  if (!options_.fast) return false;
  const bool constant = std::ranges::all_of(task.goal, [](const Comparison& comparison) {
    return comparison.left.Constant() && comparison.right.Constant();
  });
  if (!constant) return false;
  decision.how = How::kFolded;
  decision.answer =
      Holds(task.goal, std::span<const Wide>()) == true ? Answer::kProved : Answer::kRefuted;
  return true;
}

Outcome Settler::Ask(const Task& task, const Query& query, const char* suffix, Decision& decision) {
  EndIfStopped();
  if (options_.smt_dir) {
    const std::filesystem::path path = *options_.smt_dir / (task.name + suffix + ".smt2");
    std::ofstream file(path, std::ios::binary);
    file << SmtFile(query, task.comment);
    file.close();
    decision.smt_file = file ? FileName(path) : "";
  }
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(task.end - Clock::now()).count();
  if (left < 0) {
    Outcome late;
    late.reason = "no answer within " + std::to_string(options_.milliseconds) + " ms";
    return late;
  }
  Solvers::Answered answered = solvers_.Ask(query, std::max(static_cast<uint32_t>(left + 1), 1U));
  decision.shared = answered.shared;
  return std::move(answered.outcome);
}

void Settler::Conclude(const Query& query, const Outcome& outcome, Decision& decision) const {
  decision.answer = AnswerOf(outcome.kind);
  decision.reason = outcome.reason;
  if (outcome.kind == Outcome::Kind::kUnsat) AddCore(query, outcome, decision);
  if (outcome.kind != Outcome::Kind::kSat) return;
  if (auto model = CheckedModel(query, outcome.values)) {
    decision.model = *std::move(model);
    return;
  }
  decision.answer = Answer::kUnknown;
  decision.reason = "the solver's model does not satisfy the query";
}

void Settler::AddCore(const Query& query, const Outcome& outcome, Decision& decision) const {
  const std::vector<Fact> facts = FactsOf(query);
  for (const size_t f : outcome.core) {
    const Fact& fact = facts[f];
    decision.core.push_back(ToText(fact, symbols_, names_));
    const bool bound = fact.kind != Fact::Kind::kEqual &&
                       symbols_[static_cast<size_t>(fact.id)].definition.has_value();
    if (bound && (decision.lemmas.empty() || decision.lemmas.back() != fact.id)) {
      decision.lemmas.push_back(fact.id);
    }
  }
}

void Settler::AskSecond(const Query& query, const Outcome& outcome, Decision& decision) {
  const std::optional<Outcome> second = solvers_.AskSecond(query, options_.milliseconds);
  if (!second) return;
  decision.second = AnswerOf(second->kind);
  decision.second_reason = second->reason;
  decision.disagree = outcome.kind != second->kind && outcome.kind != Outcome::Kind::kUnknown &&
                      second->kind != Outcome::Kind::kUnknown;
}

// A proof stands on facts that can be met, or says that they cannot.
void Settler::CheckFacts(const Query& query, Decision& decision) const {
  const SymbolState* open = nullptr;
  for (const QuerySymbol& symbol : query.mentioned) {
    const SymbolState& state = states_[static_cast<size_t>(symbol.id)];
    decision.vacuous = decision.vacuous || state.met == Outcome::Kind::kUnsat;
    if (state.met == Outcome::Kind::kUnknown) open = &state;
  }
  if (decision.vacuous || open == nullptr) return;
  decision.answer = Answer::kUnknown;
  decision.reason = "it is open whether its facts can be met: " + open->reason;
}

bool Settler::HoldsWithoutFacts(const Task& task, const Decision& decision) {
  const std::optional<Query> query =
      MakeQuery(symbols_, task.goal, [](int32_t) { return Assumed{false, true}; });
  if (decision.core.empty()) return true;
  if (FailsAtAGuess(*query)) return false;
  const Task brief{task.goal, task.name, task.comment,
                   std::min(task.end, Clock::now() + kForWhatIsNoAnswer)};
  Decision aside;
  const Outcome outcome = Ask(brief, *query, "-without-ranges", aside);
  return outcome.kind == Outcome::Kind::kUnsat;
}

}  // namespace pteproof::proofs
