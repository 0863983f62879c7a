// Nodes with regions: a body is made of the drafts that follow its node, sees its parameters only,
// and returns the youngest values of the types that its node asks for.
#include <algorithm>
#include <iterator>
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
using graph::ValuesAndNumbers;

// PyTorch's `any` of uint8 is uint8.
bool GivesBool(const TensorType& type) {
  return type.dtype != ScalarType::kUInt8;
}

bool HasRows(const TensorType& type) {
  return type.rank() > 0 && type.sizes.front().Constant().value_or(0) > 0;
}

}  // namespace

ValueId NodeMaker::DeclareRow(ValueId mapped) {
  const TensorType& whole = TypeOf(mapped);
  return builder_.Declare(TensorType{whole.dtype, {whole.sizes.begin() + 1, whole.sizes.end()}});
}

// Every result has a parameter's type, so that there is always something to return.
void NodeMaker::Body(Region& region, std::vector<ValueId> params, std::span<const NodeDraft> drafts,
                     size_t results) {
  Scope scope;
  scope.tensors.reserve(params.size() + drafts.size());
  scope.tensors = params;
  region.params = std::move(params);
  builder_.Open(region);
  MakeAll(drafts, scope);
  builder_.Close();
  region.results.reserve(results);
  for (const ValueId param : std::span(region.params).first(results)) {
    const auto found = std::find_if(scope.tensors.rbegin(), scope.tensors.rend(),
                                    [&](ValueId v) { return TypeOf(v) == TypeOf(param); });
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
  Node node;
  node.kind = NodeKind::kCond;
  node.operands = {Of(*predicate), Of(*a), Of(*b)};
  node.regions.resize(2);
  const size_t results = 1 + d.attribute % 2;
  const size_t half = (rest.size() + 1) / 2;
  Body(node.regions[0], {DeclareLike(*a), DeclareLike(*b)}, rest.first(half), results);
  Body(node.regions[1], {DeclareLike(*a), DeclareLike(*b)}, rest.subspan(half), results);
  node.results = {DeclareLike(*a)};
  if (results == 2) node.results.push_back(DeclareLike(*b));
  AddAndKeep(std::move(node), scope);
  return true;
}

// Counts to a small number beside the other carried values, so that it ends. Now and then it
// carries two values of one type and passes the first one on as the second.
bool NodeMaker::While(const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  // When bytes are mixed, the test of a number that counts from zero is the same in every call: it
  // holds for 0, 1, 2 and 1 rounds here, and for none with most other limits.
  static constexpr int64_t kLimits[] = {0, 6, 10, 15};
  const auto a = Pick(scope, d.a, Any);
  if (!a) return false;
  const auto count = builder_.CallOne("aten::full.out", {List({}), Number(0)});
  if (!count) return false;
  Node node;
  node.kind = NodeKind::kWhile;
  node.operands = {Of(*count), Of(*a)};
  const bool shifts = (d.flags & 0x18) == 0x18;
  if (shifts) node.operands.push_back(Of(PickLike(scope, d.b, *a)));
  node.carried = static_cast<int32_t>(node.operands.size());
  const auto declare = [&] {
    std::vector<ValueId> all = {DeclareLike(*count), DeclareLike(*a)};
    if (shifts) all.push_back(DeclareLike(*a));
    return all;
  };
  node.regions.resize(2);
  Region& test = node.regions[0];
  test.params = declare();
  builder_.Open(test);
  const auto more = builder_.CallOne(
      "aten::lt.Scalar_out",
      ValuesAndNumbers({test.params[0]}, {kLimits[d.attribute % std::size(kLimits)]}));
  builder_.Close();
  if (!more) return false;
  test.results = {*more};
  Region& body = node.regions[1];
  Body(body, declare(), rest, node.operands.size());
  builder_.Open(body);
  const auto next =
      builder_.CallOne("aten::add.Scalar_out", ValuesAndNumbers({body.params[0]}, {1, 1}));
  builder_.Close();
  if (!next) return false;
  body.results[0] = *next;
  if (shifts) body.results[2] = body.params[1];
  node.results = declare();
  const std::vector<ValueId> kept(node.results.begin() + 1, node.results.end());
  builder_.Add(std::move(node));
  bool any = false;
  for (const ValueId v : kept) any = Keep(v, scope) || any;
  return any;
}

bool NodeMaker::Rows(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  const auto mapped = Pick(scope, d.a, HasRows);
  const auto other = Pick(scope, d.b, Any);
  if (!mapped || !other) return false;
  Node node;
  node.mapped = 1;
  node.regions.resize(1);
  Region& body = node.regions.front();
  if (kind == Kind::kScan) {
    node.kind = NodeKind::kScan;
    node.carried = 1;
    node.operands = {Of(*other), Of(*mapped)};
    node.results = {DeclareLike(*other), DeclareLike(*mapped)};
    Body(body, {DeclareLike(*other), DeclareRow(*mapped)}, rest, 2);
  } else {
    node.kind = NodeKind::kMap;
    node.operands = {Of(*mapped), Of(*other)};
    node.results = {DeclareLike(*mapped)};
    Body(body, {DeclareRow(*mapped), DeclareLike(*other)}, rest, 1);
  }
  AddAndKeep(std::move(node), scope);
  return true;
}

}  // namespace pteproof::generators
