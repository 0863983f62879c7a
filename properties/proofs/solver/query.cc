#include "properties/proofs/solver/query.h"

#include <algorithm>

namespace pteproof::proofs {
namespace {

// An Algebra of SizeExpr::In that notes the symbols in the order in which they are met.
struct MentionAlgebra {
  struct Value {};
  std::vector<int32_t>* ids;

  static Value Number(int64_t) { return {}; }
  Value Symbol(int32_t id) const {
    if (std::ranges::find(*ids, id) == ids->end()) ids->push_back(id);
    return {};
  }
  static Value Add(Value, Value) { return {}; }
  static Value Multiply(Value, Value) { return {}; }
  static Value FloorDivide(Value, Value) { return {}; }
  static Value Modulo(Value, Value) { return {}; }
  static Value Minimum(Value, Value) { return {}; }
  static Value Maximum(Value, Value) { return {}; }
};

void Visit(const SizeExpr& expr, MentionAlgebra& mentions) {
  static_cast<void>(expr.In(mentions));
}

}  // namespace

std::optional<Query> MakeQuery(const Symbols& symbols, const Clause& goal,
                               const std::function<Assumed(int32_t id)>& assumed) {
  std::vector<int32_t> ids;
  MentionAlgebra mentions{&ids};
  for (const Comparison& comparison : goal) {
    Visit(comparison.left, mentions);
    Visit(comparison.right, mentions);
  }
  Query query{&symbols, {}, &goal};
  for (size_t m = 0; m < ids.size(); ++m) {  // grows by what definitions mention
    const int32_t id = ids[m];
    if (id < 0 || static_cast<size_t>(id) >= symbols.size()) return std::nullopt;
    const Symbol& symbol = symbols[static_cast<size_t>(id)];
    QuerySymbol mentioned{id, assumed(id)};
    mentioned.assumed.definition = mentioned.assumed.definition && symbol.definition.has_value();
    if (mentioned.assumed.definition) {
      if (symbol.definition->HighestSymbol() >= id) return std::nullopt;
      Visit(*symbol.definition, mentions);
    }
    query.mentioned.push_back(mentioned);
  }
  return query;
}

std::vector<Fact> FactsOf(const Query& query) {
  std::vector<Fact> facts;
  for (const QuerySymbol& mentioned : query.mentioned) {
    if (mentioned.assumed.range) {
      facts.push_back({Fact::Kind::kAtLeast, mentioned.id});
      if ((*query.symbols)[static_cast<size_t>(mentioned.id)].hi) {
        facts.push_back({Fact::Kind::kAtMost, mentioned.id});
      }
    }
    if (mentioned.assumed.definition) facts.push_back({Fact::Kind::kEqual, mentioned.id});
  }
  return facts;
}

std::string ToText(const Fact& fact, const Symbols& symbols, std::span<const std::string> names) {
  const Symbol& symbol = symbols[static_cast<size_t>(fact.id)];
  switch (fact.kind) {
    case Fact::Kind::kAtLeast:
      return symbol.name + " >= " + std::to_string(symbol.lo);
    case Fact::Kind::kAtMost:
      return symbol.name + " <= " + std::to_string(*symbol.hi);
    default:
      return symbol.name + " = " + symbol.definition->ToText(names);
  }
}

}  // namespace pteproof::proofs
