#include "reference/graph/parser.h"

#include <algorithm>

namespace pteproof::graph {

using text::QuoteOf;

ValueId Parser::NewValue(std::string_view name, ValueType type) {
  method->values.push_back(std::move(type));
  value_names.back().push_back("%" + std::string(name));
  return static_cast<ValueId>(method->values.size()) - 1;
}

bool Parser::Bind(Position at, std::string_view name, ValueId value) {
  auto& values = positions().values;
  values.resize(std::max(values.size(), static_cast<size_t>(value) + 1));
  values[static_cast<size_t>(value)] = at;
  if (scopes.back().emplace(name, value).second) return true;
  return Fail(at, "%" + std::string(name) + " is defined twice");
}

bool Parser::ExpectValue(ValueId& value) {
  if (token.kind != TokenKind::kValue) return Expected("a value ('%...')");
  const auto found = scopes.back().find(token.text);
  if (found != scopes.back().end()) {
    value = found->second;
    return Advance();
  }
  for (const Scope& scope : scopes) {
    if (!scope.contains(token.text)) continue;
    return FailHere(QuoteOf(token) + " belongs to another region; pass it as an operand");
  }
  return FailHere(QuoteOf(token) + " is not defined");
}

bool Parser::ExpectBuffer(int32_t& buffer) {
  if (token.kind != TokenKind::kBuffer) return Expected("a buffer ('@...')");
  const auto found = buffer_ids.find(token.text);
  if (found == buffer_ids.end()) return FailHere("unknown buffer " + QuoteOf(token));
  buffer = found->second;
  return Advance();
}

}  // namespace pteproof::graph
