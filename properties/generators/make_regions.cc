// Nodes with regions: a body is made of the drafts that follow its node, sees its parameters only,
// and returns the youngest values of the types that its node asks for.
#include <algorithm>
#include <utility>

#include "properties/generators/choices.h"
#include "properties/generators/node_maker.h"

namespace pteproof::generators {
namespace {

using graph::List;
using graph::Node;
using graph::NodeKind;
using graph::Number;
using graph::Of;
using graph::Region;

// PyTorch's `any` of uint8 is uint8.
bool GivesBool(const TensorType& type) {
  return type.dtype != ScalarType::kUInt8;
}

bool HasRows(const TensorType& type) {
  return type.rank() > 0 && type.sizes.front().Constant().value_or(0) > 0;
}

TensorType RowOf(TensorType type) {
  type.sizes.erase(type.sizes.begin());
  return type;
}

TensorType StackOf(TensorType row, const SizeExpr& rows) {
  row.sizes.insert(row.sizes.begin(), rows);
  return row;
}

}  // namespace

// Every result type is a parameter's type, so that there is always something to return.
void NodeMaker::Body(Region& region, std::span<const TensorType> params,
                     std::span<const NodeDraft> drafts, std::span<const TensorType> results) {
  Scope scope;
  for (const TensorType& type : params) {
    scope.tensors.push_back(builder_.Declare(type));
  }
  region.params = scope.tensors;
  builder_.Open(region);
  MakeAll(drafts, scope);
  builder_.Close();
  for (const TensorType& type : results) {
    const auto found = std::find_if(scope.tensors.rbegin(), scope.tensors.rend(),
                                    [&](ValueId v) { return TypeOf(v) == type; });
    region.results.push_back(*found);
  }
}

std::optional<ValueId> NodeMaker::Predicate(const NodeDraft& d, Scope& scope) {
  const auto self = Pick(scope, d.c % 4, GivesBool);
  if (!self) return std::nullopt;
  return builder_.CallOne("aten::any.all_out", {Of(*self)});
}

bool NodeMaker::Cond(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  const auto a = Pick(scope, d.a, Any);
  const auto b = Pick(scope, d.b, Any);
  if (!a || !b) return false;
  const auto predicate = Predicate(d, scope);
  if (!predicate) return false;
  const std::vector<TensorType> params = {TypeOf(*a), TypeOf(*b)};
  const size_t results = 1 + d.attribute % 2;
  Node node;
  node.kind = NodeKind::kCond;
  node.operands = {Of(*predicate), Of(*a), Of(*b)};
  node.regions.resize(2);
  const size_t half = (rest.size() + 1) / 2;
  Body(node.regions[0], params, rest.first(half), std::span(params).first(results));
  Body(node.regions[1], params, rest.subspan(half), std::span(params).first(results));
  for (size_t r = 0; r < results; ++r) node.results.push_back(builder_.Declare(params[r]));
  const std::vector<ValueId> made = node.results;
  builder_.Add(std::move(node));
  for (const ValueId v : made) Keep(v, scope);
  return true;
}

// Counts to a small number beside whatever else it carries, so that it ends.
bool NodeMaker::While(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  const auto a = Pick(scope, d.a, Any);
  if (!a) return false;
  const auto count = builder_.CallOne("aten::full.out", {List({}), Number(0)});
  if (!count) return false;
  const std::vector<TensorType> params = {TypeOf(*count), TypeOf(*a)};
  Node node;
  node.kind = NodeKind::kWhile;
  node.operands = {Of(*count), Of(*a)};
  node.carried = 2;
  node.regions.resize(2);
  Region& test = node.regions[0];
  test.params = {builder_.Declare(params[0]), builder_.Declare(params[1])};
  builder_.Open(test);
  const auto more =
      builder_.CallOne("aten::lt.Scalar_out", {Of(test.params[0]), Number(d.attribute % 4)});
  builder_.Close();
  if (!more) return false;
  test.results = {*more};
  Region& body = node.regions[1];
  Body(body, params, rest, params);
  builder_.Open(body);
  const auto next =
      builder_.CallOne("aten::add.Scalar_out", {Of(body.params[0]), Number(1), Number(1)});
  builder_.Close();
  if (!next) return false;
  body.results[0] = *next;
  node.results = {builder_.Declare(params[0]), builder_.Declare(params[1])};
  const ValueId last = node.results[1];
  builder_.Add(std::move(node));
  return Keep(last, scope);
}

bool NodeMaker::Rows(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  const auto mapped = Pick(scope, d.a, HasRows);
  const auto other = Pick(scope, d.b, Any);
  if (!mapped || !other) return false;
  const TensorType row = RowOf(TypeOf(*mapped));
  const TensorType carried = TypeOf(*other);
  const SizeExpr rows = TypeOf(*mapped).sizes.front();
  const bool scans = kind == Kind::kScan;
  Node node;
  node.kind = scans ? NodeKind::kScan : NodeKind::kMap;
  node.mapped = 1;
  node.regions.resize(1);
  std::vector<TensorType> params;
  std::vector<TensorType> results;
  if (scans) {
    node.carried = 1;
    node.operands = {Of(*other), Of(*mapped)};
    params = {carried, row};
    results = {carried, row};
    node.results = {builder_.Declare(carried), builder_.Declare(StackOf(row, rows))};
  } else {
    node.operands = {Of(*mapped), Of(*other)};
    params = {row, carried};
    results = {row};
    node.results = {builder_.Declare(StackOf(row, rows))};
  }
  Body(node.regions[0], params, rest, results);
  const std::vector<ValueId> made = node.results;
  builder_.Add(std::move(node));
  for (const ValueId v : made) Keep(v, scope);
  return true;
}

}  // namespace pteproof::generators
