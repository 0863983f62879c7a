// Nodes and their regions.
#include <algorithm>
#include <limits>

#include "reference/graph/limits.h"
#include "reference/graph/parser.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

constexpr int64_t kMostCount = std::numeric_limits<int32_t>::max();

struct Result {
  Position at;
  std::string_view name;
  ValueId value = -1;
};

// "%0: float32[4], %1: int ="; nothing for a node without results.
bool ParseResults(Parser& parser, std::vector<Result>& results) {
  if (parser.token.kind != TokenKind::kValue) return true;
  while (true) {
    Result result;
    result.at = parser.token.at;
    if (!parser.ExpectName(TokenKind::kValue, "a value ('%...')", result.name)) return false;
    ValueType type;
    if (parser.IsSign("=")) return parser.Expected("':' and the type of the result");
    if (!parser.ExpectSign(":") || !ParseValueType(parser, type)) return false;
    result.value = parser.NewValue(result.name, std::move(type));
    results.push_back(result);
    if (!parser.IsSign(",")) return parser.ExpectSign("=");
    if (!parser.Advance()) return false;
  }
}

bool ParseCount(Parser& parser, std::string_view word, int32_t& count) {
  int64_t number = 0;
  if (!parser.ExpectWord(word) || !parser.ExpectCount("a number of operands", kMostCount, number)) {
    return false;
  }
  count = static_cast<int32_t>(number);
  return true;
}

// What stands before the operands.
bool ParseHead(Parser& parser, Node& node) {
  if (parser.IsWord("view")) {
    node.view = true;
    if (!parser.Advance()) return false;
    if (parser.token.kind != TokenKind::kOperator) return parser.Expected("an operator");
  }
  if (parser.token.kind == TokenKind::kOperator) {
    node.op = parser.token.text;
    node.schema = FindOperator(node.op);
    return parser.Advance();
  }
  if (parser.IsWord("delegate")) {
    node.kind = NodeKind::kDelegate;
    return parser.Advance() && parser.ExpectQuoted("the delegate's id in quotes", node.op);
  }
  if (parser.IsWord("cond")) {
    node.kind = NodeKind::kCond;
    return parser.Advance();
  }
  if (parser.IsWord("while")) {
    node.kind = NodeKind::kWhile;
    return parser.Advance() && ParseCount(parser, "carried", node.carried);
  }
  if (parser.IsWord("map")) {
    node.kind = NodeKind::kMap;
    return parser.Advance() && ParseCount(parser, "mapped", node.mapped);
  }
  if (parser.IsWord("scan")) {
    node.kind = NodeKind::kScan;
    return parser.Advance() && ParseCount(parser, "carried", node.carried) &&
           ParseCount(parser, "mapped", node.mapped);
  }
  return parser.Expected("an operator, delegate, cond, while, map or scan");
}

bool ParseDelegateBuffers(Parser& parser, DelegateRole role, Node& node) {
  return ParseList(parser, ")", [&] {
    DelegateBuffer& each = node.buffers.emplace_back();
    each.role = role;
    if (!parser.ExpectBuffer(each.buffer)) return false;
    each.writes = parser.IsWord("writes");
    return !each.writes || parser.Advance();
  });
}

bool ParseInPlace(Parser& parser, Node& node) {
  int64_t operand = 0;
  if (!parser.ExpectCount("the number of an operand", kMostCount, operand)) return false;
  node.in_place = static_cast<int32_t>(operand);
  return parser.ExpectSign(")");
}

std::optional<DelegateRole> RoleNamed(std::string_view name) {
  if (name == "owns") return DelegateRole::kOwns;
  if (name == "shares") return DelegateRole::kShares;
  if (name == "uses") return DelegateRole::kUses;
  return std::nullopt;
}

// "after(%1) pool("sram")" and the like, in any order; only a delegate's may come twice.
bool ParseAttributes(Parser& parser, Node& node) {
  std::vector<std::string_view> seen;
  while (parser.token.kind == TokenKind::kWord) {
    const std::string_view name = parser.token.text;
    const auto role = RoleNamed(name);
    if (!role && name != "in_place" && name != "after" && name != "pool") return true;
    if (!role && std::ranges::find(seen, name) != seen.end()) {
      return parser.FailHere("'" + std::string(name) + "' is given twice");
    }
    seen.push_back(name);
    if (!parser.Advance() || !parser.ExpectSign("(")) return false;
    bool good = false;
    if (role) {
      good = ParseDelegateBuffers(parser, *role, node);
    } else if (name == "in_place") {
      good = ParseInPlace(parser, node);
    } else if (name == "after") {
      good = ParseList(parser, ")", [&] { return parser.ExpectValue(node.after.emplace_back()); });
    } else {
      good = parser.ExpectQuoted("the pool's name in quotes", node.pool) && parser.ExpectSign(")");
    }
    if (!good) return false;
  }
  return true;
}

bool ParseParam(Parser& parser, Region& region) {
  const Position at = parser.token.at;
  std::string_view name;
  ValueType type;
  if (!parser.ExpectName(TokenKind::kValue, "a parameter ('%...')", name)) return false;
  if (!parser.ExpectSign(":") || !ParseValueType(parser, type)) return false;
  region.params.push_back(parser.NewValue(name, std::move(type)));
  return parser.Bind(at, name, region.params.back());
}

// "(%a: float32[4]) { ... return %a }".
bool ParseRegion(Parser& parser, int depth, Region& region) {
  if (depth == kDeepestRegion) {
    return parser.FailHere("regions are nested deeper than " + std::to_string(kDeepestRegion));
  }
  parser.scopes.emplace_back();
  if (!parser.ExpectSign("(")) return false;
  if (!ParseList(parser, ")", [&] { return ParseParam(parser, region); })) return false;
  if (!parser.ExpectSign("{")) return false;
  while (!parser.IsWord("return")) {
    if (!ParseNode(parser, depth + 1, region.nodes.emplace_back())) return false;
  }
  if (!ParseReturn(parser, region.results) || !parser.ExpectSign("}")) return false;
  parser.scopes.pop_back();
  return true;
}

bool ParseRegions(Parser& parser, int depth, Node& node) {
  if (!parser.ExpectSign("{")) return false;
  const size_t count = node.kind == NodeKind::kCond || node.kind == NodeKind::kWhile ? 2 : 1;
  for (size_t r = 0; r < count; ++r) {
    if (!ParseRegion(parser, depth, node.regions.emplace_back())) return false;
  }
  return parser.ExpectSign("}");
}

}  // namespace

bool ParseReturn(Parser& parser, std::vector<ValueId>& results) {
  if (!parser.ExpectWord("return")) return false;
  if (parser.token.kind != TokenKind::kValue) return true;
  while (parser.ExpectValue(results.emplace_back())) {
    if (!parser.IsSign(",")) return true;
    if (!parser.Advance()) return false;
  }
  return false;
}

bool ParseNode(Parser& parser, int depth, Node& node) {
  parser.positions().nodes.push_back(parser.token.at);
  std::vector<Result> results;
  if (!ParseResults(parser, results) || !ParseHead(parser, node)) return false;
  const auto operand = [&] { return ParseOperand(parser, 0, node.operands.emplace_back()); };
  if (!parser.ExpectSign("(") || !ParseList(parser, ")", operand)) return false;
  if (!ParseAttributes(parser, node)) return false;
  const bool flow = node.kind != NodeKind::kCall && node.kind != NodeKind::kDelegate;
  if (flow && !ParseRegions(parser, depth, node)) return false;
  for (const Result& result : results) {
    if (!parser.Bind(result.at, result.name, result.value)) return false;
    node.results.push_back(result.value);
  }
  return true;
}

}  // namespace pteproof::graph
