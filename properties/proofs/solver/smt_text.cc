#include "properties/proofs/solver/smt_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

namespace pteproof::proofs {
namespace {

std::string NumberText(int64_t number) {
  if (number >= 0) return std::to_string(number);
  return "(- " + std::to_string(number).substr(1) + ")";
}

std::string Call(std::string_view function, std::string_view a, std::string_view b) {
  std::string text;
  text.reserve(function.size() + a.size() + b.size() + 4);
  return text.append("(").append(function).append(" ").append(a).append(" ").append(b).append(")");
}

// Names both, so that neither is written twice. No symbol is called so: OwnNames leaves no '%'.
std::string LetBoth(std::string_view a, std::string_view b, std::string_view in) {
  return "(let ((%a " + std::string(a) + ") (%b " + std::string(b) + ")) " + std::string(in) + ")";
}

// An Algebra of SizeExpr::In. SMT-LIB's div and mod leave a remainder that is never negative.
struct TextAlgebra {
  struct Value {
    std::string text;
    std::optional<int64_t> number;
  };
  const Query* query;
  const SmtNames* names;
  bool non_linear = false;

  static Value Number(int64_t number) { return {NumberText(number), number}; }

  [[nodiscard]] Value Symbol(int32_t id) const {
    const auto at = std::ranges::find(query->mentioned, id, &QuerySymbol::id);
    return {names->symbols[static_cast<size_t>(at - query->mentioned.begin())], std::nullopt};
  }

  static Value Add(const Value& a, const Value& b) { return {Call("+", a.text, b.text), {}}; }

  Value Multiply(const Value& a, const Value& b) {
    non_linear = non_linear || (!a.number && !b.number);
    return {Call("*", a.text, b.text), {}};
  }

  Value FloorDivide(const Value& a, const Value& b) {
    if (b.number == 0) return Number(0);
    if (b.number && *b.number > 0) return {Call("div", a.text, b.text), {}};
    non_linear = non_linear || !b.number;
    return {
        LetBoth(a.text, b.text, "(ite (= %b 0) 0 (ite (> %b 0) (div %a %b) (div (- %a) (- %b))))"),
        {}};
  }

  Value Modulo(const Value& a, const Value& b) {
    if (b.number == 0) return Number(0);
    if (b.number && *b.number > 0) return {Call("mod", a.text, b.text), {}};
    non_linear = non_linear || !b.number;
    return {LetBoth(a.text, b.text,
                    "(ite (= %b 0) 0 (ite (> %b 0) (mod %a %b) (- (mod (- %a) (- %b)))))"),
            {}};
  }

  static Value Minimum(const Value& a, const Value& b) {
    return {LetBoth(a.text, b.text, "(ite (<= %a %b) %a %b)"), {}};
  }

  static Value Maximum(const Value& a, const Value& b) {
    return {LetBoth(a.text, b.text, "(ite (<= %a %b) %b %a)"), {}};
  }
};

std::string ComparisonText(const Comparison& of, TextAlgebra& algebra) {
  const std::string left = of.left.In(algebra).text;
  const std::string right = of.right.In(algebra).text;
  static constexpr const char* kRelations[] = {"<", "<=", "="};
  return Call(kRelations[static_cast<size_t>(of.relation)], left, right);
}

std::string FactTerm(const Fact& fact, const Symbol& symbol, TextAlgebra& algebra) {
  const std::string name = algebra.Symbol(fact.id).text;
  switch (fact.kind) {
    case Fact::Kind::kAtLeast:
      return Call(">=", name, NumberText(symbol.lo));
    case Fact::Kind::kAtMost:
      return Call("<=", name, NumberText(*symbol.hi));
    default:
      return Call("=", name, symbol.definition->In(algebra).text);
  }
}

void Assert(std::string& text, const std::string& what, const std::string& name) {
  text +=
      name.empty() ? "(assert " + what + ")\n" : "(assert (! " + what + " :named " + name + "))\n";
}

// Characters that may stand between bars, without those with another use here, and without line
// ends.
std::string Allowed(std::string_view name) {
  std::string allowed;
  for (const char c : name) {
    allowed += c >= ' ' && c <= '~' && c != '|' && c != '\\' && c != '%' ? c : '_';
  }
  return allowed;
}

// `name` between bars, numbered when it is taken.
std::string Quoted(const std::string& name, std::set<std::string>& taken) {
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = name + " #" + std::to_string(n);
  return "|" + unique + "|";
}

}  // namespace

SmtNames PlainNames(const Query& query) {
  SmtNames names;
  for (size_t s = 0; s < query.mentioned.size(); ++s) {
    names.symbols.push_back("x" + std::to_string(s));
  }
  for (size_t f = FactsOf(query).size(); f > 0; --f) {
    names.facts.push_back("f" + std::to_string(names.facts.size()));
  }
  return names;
}

SmtNames OwnNames(const Query& query) {
  SmtNames names;
  std::set<std::string> taken;
  const auto own = [&](int32_t id) {
    return Allowed((*query.symbols)[static_cast<size_t>(id)].name);
  };
  for (const QuerySymbol& mentioned : query.mentioned) {
    names.symbols.push_back(Quoted(own(mentioned.id), taken));
  }
  static constexpr const char* kKinds[] = {"least ", "most ", "definition of "};
  for (const Fact& fact : FactsOf(query)) {
    names.facts.push_back(Quoted(kKinds[static_cast<size_t>(fact.kind)] + own(fact.id), taken));
  }
  names.goal = Quoted("the goal does not hold", taken);
  return names;
}

SmtBody SmtBodyOf(const Query& query, const SmtNames& names) {
  SmtBody body;
  TextAlgebra algebra{&query, &names};
  for (const std::string& name : names.symbols) body.text += "(declare-fun " + name + " () Int)\n";
  size_t number = 0;
  for (const Fact& fact : FactsOf(query)) {
    const Symbol& symbol = (*query.symbols)[static_cast<size_t>(fact.id)];
    Assert(body.text, FactTerm(fact, symbol, algebra),
           names.facts.empty() ? "" : names.facts[number]);
    ++number;
  }
  std::string goal = "(or false";
  for (const Comparison& comparison : *query.goal) {
    goal += " " + ComparisonText(comparison, algebra);
  }
  Assert(body.text, "(not " + goal + "))", names.goal);
  body.non_linear = algebra.non_linear;
  return body;
}

std::string SmtFile(const Query& query, std::string_view comment) {
  std::string line(comment);
  std::ranges::replace_if(line, [](char c) { return c < ' ' || c > '~'; }, ' ');
  const SmtBody body = SmtBodyOf(query, OwnNames(query));
  return "; " + line + "\n(set-logic " + (body.non_linear ? "QF_NIA" : "QF_LIA") + ")\n" +
         body.text + "(check-sat)\n";
}

}  // namespace pteproof::proofs
