// Idea: obligations are independent of each other, but share symbols and often shape. One Settler
// decides them in order, so that facts about a symbol are established once, and a question that
// equals an earlier one up to names is not asked again.
//
//   obligation 1: n <= 8 -> 4*n <= 32         asks about n, then the goal
//   obligation 2: m <= 8 -> 4*m <= 32         the same question: answered without the solver
//
// Invariant: decision i belongs to obligation i, whatever the solver does: failures are kUnknown.
//
// Cost: one call of the solver per new question, some 0.1 ms for a linear one.
#include "properties/proofs/solver/decide.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "base/file_name.h"
#include "properties/proofs/solver/settle.h"

namespace pteproof::proofs {
namespace {

std::string QueryName(size_t index, size_t count, const Obligation& obligation) {
  const size_t width = std::to_string(count).size();
  const std::string digits = std::to_string(index);
  std::string name = std::string(width - std::min(width, digits.size()), '0') + digits + "-";
  for (const char c : obligation.kind) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    name += plain ? c : '-';
  }
  return name;
}

std::string CommentOf(const Obligation& obligation) {
  std::string text = "unsat: " + std::string(obligation.kind) + " cannot happen";
  if (!obligation.method.empty()) text += ", method " + obligation.method;
  if (obligation.instruction >= 0) {
    text += ", instruction " + std::to_string(obligation.instruction);
  }
  if (!obligation.values.empty()) text += ", values";
  for (const int32_t value : obligation.values) text += " " + std::to_string(value);
  return text;
}

}  // namespace

std::vector<Decision> Decide(const Obligations& obligations, const DecideOptions& options) {
  Settler settler(obligations.symbols, options);
  std::vector<Decision> decisions;
  decisions.reserve(obligations.list.size());
  const size_t count = obligations.list.size();
  for (const Obligation& obligation : obligations.list) {
    if (options.stop && options.stop()) break;
    decisions.push_back(settler.Settle(
        obligation.goal, QueryName(decisions.size(), count, obligation), CommentOf(obligation)));
    if (options.progress) options.progress(decisions.size(), count);
  }
  Decision left;
  left.reason = "the proof was stopped before it was asked";
  decisions.resize(count, left);
  return decisions;
}

std::optional<std::string> WhyNotUsable(const DecideOptions& options) {
  std::error_code error;
  if (options.smt_dir && !std::filesystem::is_directory(*options.smt_dir, error)) {
    return "'" + FileName(*options.smt_dir) + "' is not a folder";
  }
  if (options.solver == SolverChoice::kZ3) return std::nullopt;
  const Clause never;
  const Symbols none;
  Cvc5Solver cvc5(options.cvc5, options.megabytes, false);
  const Outcome outcome = cvc5.Ask({&none, {}, &never}, 10'000);
  if (outcome.kind == Outcome::Kind::kSat) return std::nullopt;
  return outcome.reason;
}

}  // namespace pteproof::proofs
