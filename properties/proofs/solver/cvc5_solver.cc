#include "properties/proofs/solver/cvc5_solver.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>
#include <vector>

#include "properties/proofs/solver/smt_text.h"

namespace pteproof::proofs {
namespace {

using Instant = std::chrono::steady_clock::time_point;

// How much later than its own limit the child's answer may come before it is given up.
constexpr std::chrono::seconds kGrace{2};

// Products of symbols are bounded by planes, else even small ones take seconds.
constexpr std::array<const char*, 3> kForProducts = {"--nl-rlv=always", "--nl-ext-tplanes",
                                                     "--nl-ext-tplanes-interleave"};

// One s-expression, over as many lines as it takes. Names are plain: no parentheses in them.
std::optional<std::string> ReadTerm(ChildProcess& child, Instant until) {
  std::string term;
  for (;;) {
    const std::optional<std::string> line = child.ReadLine(until);
    if (!line) return std::nullopt;
    term += *line + " ";
    if (std::ranges::count(term, '(') <= std::ranges::count(term, ')')) return term;
  }
}

std::vector<std::string> WordsOf(const std::string& term) {
  std::vector<std::string> words(1);
  for (const char c : term) {
    if (c != ' ' && c != '(' && c != ')') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  words.pop_back();
  return words;
}

std::optional<int64_t> IntegerOf(const std::string& digits) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// From "((x0 4) (x1 (- 3)))", in the order in which they were asked for.
std::vector<std::optional<int64_t>> ValuesOf(const std::string& term, size_t count) {
  std::vector<std::optional<int64_t>> values(count);
  const std::vector<std::string> words = WordsOf(term);
  size_t at = 0;
  for (std::optional<int64_t>& value : values) {
    const bool negative = at + 2 < words.size() && words[at + 1] == "-";
    if (at + 1 >= words.size()) break;
    value = IntegerOf(negative ? "-" + words[at + 2] : words[at + 1]);
    at += negative ? 3 : 2;
  }
  return values;
}

Outcome Unknown(std::string reason) {
  Outcome outcome;
  outcome.reason = std::move(reason);
  return outcome;
}

void AddCore(const std::string& term, const SmtNames& names, Outcome& outcome) {
  const std::vector<std::string> words = WordsOf(term);
  for (size_t f = 0; f < names.facts.size(); ++f) {
    if (std::ranges::find(words, names.facts[f]) != words.end()) outcome.core.push_back(f);
  }
}

}  // namespace

Cvc5Solver::Cvc5Solver(std::string executable, uint32_t megabytes, bool details)
    : executable_(std::move(executable)), megabytes_(megabytes), details_(details) {}

std::optional<std::string> Cvc5Solver::Start(uint32_t milliseconds) {
  if (child_ && limit_ == milliseconds) return std::nullopt;
  child_.reset();
  std::vector<std::string> command = {executable_, "--lang=smt2", "--quiet", "--incremental",
                                      "--tlimit-per=" + std::to_string(milliseconds)};
  command.insert(command.end(), kForProducts.begin(), kForProducts.end());
  if (details_) {
    command.emplace_back("--produce-models");
    command.emplace_back("--produce-unsat-cores");
  }
  command.emplace_back("-");
  auto child = ChildProcess::Start(std::move(command), megabytes_);
  if (!child.ok()) return "'" + executable_ + "' could not be started: " + child.error();
  child_.emplace(std::move(child).value());
  limit_ = milliseconds;
  if (child_->Write("(set-logic QF_NIA)\n")) return std::nullopt;
  child_.reset();
  return "'" + executable_ + "' ended at once";
}

Outcome Cvc5Solver::Ask(const Query& query, uint32_t milliseconds) {
  // A limit is for a child's whole life. Only one that is much too long is worth another child.
  const bool keep = limit_ >= milliseconds && limit_ / 2 <= milliseconds;
  if (const auto problem = Start(keep ? limit_ : std::max(milliseconds, 1U))) {
    return Unknown(*problem);
  }
  const Instant until =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(limit_) + kGrace;
  const SmtNames names = PlainNames(query);
  std::optional<std::string> answer;
  if (child_->Write("(push 1)\n" + SmtBodyOf(query, names).text + "(check-sat)\n")) {
    answer = child_->ReadLine(until);
  }
  Outcome outcome;
  std::optional<std::string> details = "";
  if (answer == "unsat") {
    outcome.kind = Outcome::Kind::kUnsat;
    if (details_ && !names.facts.empty() && child_->Write("(get-unsat-core)\n")) {
      details = ReadTerm(*child_, until);
    }
    if (details) AddCore(*details, names, outcome);
  } else if (answer == "sat") {
    outcome.kind = Outcome::Kind::kSat;
    std::string all;
    for (const std::string& name : names.symbols) all += name + " ";
    if (details_ && !all.empty() && child_->Write("(get-value (" + all + "))\n")) {
      details = ReadTerm(*child_, until);
    }
    if (details) outcome.values = ValuesOf(*details, names.symbols.size());
  } else {
    outcome = Unknown(answer == "unknown" ? "the solver gave up, or took more than its time"
                      : answer            ? "the solver said: " + *answer
                                          : "the solver ended, or took more than its time");
  }
  // After any other answer the state of the child is unknown.
  const bool plain = answer == "unsat" || answer == "sat" || answer == "unknown";
  if (!plain || !details || !child_->Write("(pop 1)\n")) child_.reset();
  return outcome;
}

}  // namespace pteproof::proofs
