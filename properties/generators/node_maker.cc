#include "properties/generators/node_maker.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "properties/generators/build_module.h"
#include "properties/generators/choices.h"
#include "reference/graph/method_uses.h"
#include "reference/op_schema.h"
#include "reference/tensor_value.h"

namespace pteproof::generators {
namespace {

using graph::Flag;
using graph::List;
using graph::Node;
using graph::None;
using graph::Number;
using graph::Of;
using graph::Operand;
using graph::Operands;
using graph::Real;
using graph::ValuesAndNumbers;

// Larger results are not made, so that no chain of concatenations grows without end.
constexpr int64_t kMostElements = 512;

// The kinds that a node's number chooses from. The simple ones come first, then the ones that need
// a feature: a case without the feature has simple ones in their place, and all other nodes are
// unchanged.
constexpr Kind kSimple[] = {
    Kind::kUnary,   Kind::kBinary,    Kind::kUnary,   Kind::kBinary,  Kind::kClone,   Kind::kUnary,
    Kind::kBinary,  Kind::kTwice,     Kind::kScalar,  Kind::kSlice,   Kind::kUnary,   Kind::kBinary,
    Kind::kTwice,   Kind::kScalar,    Kind::kSlice,   Kind::kReshape, Kind::kReshape, Kind::kClone,
    Kind::kReduce,  Kind::kSoftmax,   Kind::kScatter, Kind::kProduct, Kind::kCat,     Kind::kSelect,
    Kind::kPermute, Kind::kUnsqueeze,
};
struct Special {
  Kind kind;
  Feature needs;
};
constexpr Special kSpecial[] = {
    {Kind::kConvert, Feature::kMixedTypes}, {Kind::kConvert, Feature::kMixedTypes},
    {Kind::kView, Feature::kMutation},      {Kind::kView, Feature::kMutation},
    {Kind::kView, Feature::kMutation},      {Kind::kMutate, Feature::kMutation},
    {Kind::kMutate, Feature::kMutation},    {Kind::kMutate, Feature::kMutation},
    {Kind::kDelegate, Feature::kDelegates}, {Kind::kDelegate, Feature::kDelegates},
    {Kind::kUnknown, Feature::kUnknown},    {Kind::kUnknown, Feature::kUnknown},
    {Kind::kCond, Feature::kRegions},       {Kind::kCond, Feature::kRegions},
    {Kind::kWhile, Feature::kRegions},      {Kind::kWhile, Feature::kRegions},
    {Kind::kMap, Feature::kRegions},        {Kind::kMap, Feature::kRegions},
    {Kind::kScan, Feature::kRegions},       {Kind::kScan, Feature::kRegions},
};

Kind KindOf(const CaseDraft& draft, uint8_t number) {
  static_assert(std::size(kSimple) + std::size(kSpecial) == kKindNumbers);
  const size_t at = number % kKindNumbers;
  if (at < std::size(kSimple)) return kSimple[at];
  const Special& special = kSpecial[at - std::size(kSimple)];
  return draft.Has(special.needs) ? special.kind : kSimple[at % std::size(kSimple)];
}

// Whether an operator that goes element by element repeats `part` to the sizes of `whole`.
bool Spreads(const TensorType& part, const TensorType& whole) {
  if (part.dtype != whole.dtype || part.rank() > whole.rank()) return false;
  const size_t more = whole.rank() - part.rank();
  for (size_t d = 0; d < part.rank(); ++d) {
    if (!part.sizes[d].Is(1) && part.sizes[d] != whole.sizes[d + more]) return false;
  }
  return true;
}

}  // namespace

void NodeMaker::MakeAll(std::span<const NodeDraft> drafts, Scope& scope) {
  builder_.ReserveNodes(drafts.size());
  while (!drafts.empty()) {
    const NodeDraft& d = drafts.front();
    drafts = drafts.subspan(1);
    const Kind kind = KindOf(draft_, d.kind);
    // A region's body has the drafts that follow, whether the node is made or not.
    const bool has_body = kind >= Kind::kCond;
    const size_t body = has_body ? std::min<size_t>(d.length % 6U, drafts.size()) : 0;
    const bool made = Make(kind, d, drafts.first(body), scope);
    if (made && draft_.Has(Feature::kPools)) WishForPool(d, builder_.last());
    drafts = drafts.subspan(body);
  }
}

// Results with bytes of their own may wish for a bank.
void NodeMaker::WishForPool(const NodeDraft& d, Node& node) {
  const bool own = !node.view && !Mutates(node) && !node.in_place;
  if (own && (d.flags & 0x40) != 0) node.pool = (d.flags & 0x80) != 0 ? "fast" : "slow";
}

bool NodeMaker::Make(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest, Scope& scope) {
  switch (kind) {
    case Kind::kUnary:
    case Kind::kBinary:
    case Kind::kTwice:
    case Kind::kScalar:
      return Elementwise(kind, d, scope);
    case Kind::kReduce:
    case Kind::kSoftmax:
    case Kind::kProduct:
    case Kind::kCat:
    case Kind::kConvert:
      return Compute(kind, d, scope);
    case Kind::kView:
      return View(d, scope);
    case Kind::kMutate:
      return Mutate(d, scope);
    case Kind::kDelegate:
    case Kind::kUnknown:
      return Opaque(kind, d, scope);
    case Kind::kCond:
    case Kind::kWhile:
    case Kind::kMap:
    case Kind::kScan:
      return Regions(kind, d, rest, scope);
    default:
      return Move(kind, d, scope);
  }
}

// One of the same type as `like`: itself where there is no other.
ValueId NodeMaker::PickLike(const Scope& scope, uint8_t number, ValueId like) const {
  const TensorType& wanted = TypeOf(like);
  const auto found = Pick(scope, number, [&](const TensorType& type) { return type == wanted; });
  return found.value_or(like);
}

ValueId NodeMaker::PickOther(const Scope& scope, const NodeDraft& d, ValueId self) const {
  const TensorType& whole = TypeOf(self);
  const auto spreads = [&](const TensorType& type) {
    return type != whole && Spreads(type, whole);
  };
  const auto found = (d.flags & 0x18) == 0x18 ? Pick(scope, d.b, spreads) : std::nullopt;
  return found ? *found : PickLike(scope, d.b, self);
}

bool NodeMaker::IsSmall(const TensorType& type) const {
  std::array<SizeRange, 4> ranges;
  const auto& dims = builder_.method().dims;
  for (size_t d = 0; d < dims.size(); ++d) ranges[d] = {dims[d].lo, dims[d].hi};
  int64_t count = 1;
  for (const SizeExpr& size : type.sizes) {
    const auto number = size.Constant();
    count *= number ? *number : size.Over(std::span(ranges).first(dims.size())).hi;
    if (count > kMostElements || count < 0) return false;
  }
  return true;
}

// Of some operators no operand says the element type: the result's type does.
void NodeMaker::SetDtype(ValueId made, ScalarType dtype) {
  std::get<TensorType>(builder_.method().values[static_cast<size_t>(made)]).dtype = dtype;
}

// A value that grew too large stays in the Module, and no node uses it.
bool NodeMaker::Keep(std::optional<ValueId> made, Scope& scope) {
  if (!made || !IsSmall(TypeOf(*made))) return false;
  scope.tensors.push_back(*made);
  return true;
}

void NodeMaker::AddAndKeep(Node node, Scope& scope) {
  for (const ValueId v : builder_.Add(std::move(node)).results) Keep(v, scope);
}

bool NodeMaker::Elementwise(Kind kind, const NodeDraft& d, Scope& scope) {
  static const auto unary = Schemas("aten::neg.out", "aten::relu.out", "aten::sigmoid.out",
                                    "aten::abs.out", "aten::tanh.out", "aten::exp.out");
  static const auto binary = Schemas("aten::add.out", "aten::mul.out", "aten::sub.out",
                                     "aten::maximum.out", "aten::minimum.out");
  static const auto scalar = Schemas("aten::mul.Scalar_out", "aten::add.Scalar_out");
  const auto self = Pick(scope, d.a, kind == Kind::kUnary ? IsReal : IsNumeric);
  if (!self) return false;
  std::vector<Operand> operands;
  operands.reserve(3);
  operands.push_back(Of(*self));
  const OpSchema* schema = &Choose(unary, d.attribute);
  if (kind == Kind::kScalar) {
    schema = &Choose(scalar, d.attribute);
    operands.push_back(IsReal(TypeOf(*self)) ? Real(0.5 * (d.b % 8) - 1) : Number(d.b % 5 - 2));
  } else if (kind != Kind::kUnary) {
    schema = &Choose(binary, d.attribute);
    operands.push_back(Of(kind == Kind::kTwice ? *self : PickOther(scope, d, *self)));
  }
  // add and sub have a factor for their second operand.
  const bool scales = schema->args.size() > operands.size() + 1;
  if (scales) operands.push_back(Number(1));
  const auto made = builder_.CallOne(*schema, std::move(operands));
  if (!made) return false;
  if (draft_.Has(Feature::kInPlace) && (d.flags & 1) != 0) TakeOperand(d, *self, *made, scope);
  return Keep(made, scope);
}

// In place of `self`, some of them after all that was made since it was: without such edges only
// data flow puts earlier readers before.
void NodeMaker::TakeOperand(const NodeDraft& d, ValueId self, ValueId made, const Scope& scope) {
  if (TypeOf(self) != TypeOf(made)) return;
  Node& node = builder_.last();
  node.in_place = 0;
  if ((d.flags & 2) == 0) return;
  std::ranges::copy_if(scope.tensors, std::back_inserter(node.after),
                       [&](ValueId v) { return v > self; });
}

bool NodeMaker::Compute(Kind kind, const NodeDraft& d, Scope& scope) {
  static const auto reduce =
      Schemas("aten::amax.out", "aten::amin.out", "aten::amax.out", "aten::amin.out");
  static const OpSchema* const sum = FindOperator("aten::sum.IntList_out");
  const auto self = Pick(scope, d.a,
                         kind == Kind::kProduct   ? IsMatrix
                         : kind == Kind::kSoftmax ? IsRealWithDimension
                         : kind == Kind::kReduce  ? IsNumericWithDimension
                         : kind == Kind::kCat     ? HasDimension
                                                  : Any);
  if (!self) return false;
  const int64_t dim = Modulo(d.c, TypeOf(*self).rank());
  switch (kind) {
    case Kind::kReduce: {
      auto operands =
          Operands(Of(*self), List(ValuesAndNumbers({}, {dim})), Flag((d.flags & 1) != 0));
      // The extremes of an empty tensor are undefined.
      const bool total =
          (d.attribute & 1) != 0 || draft_.Has(Feature::kOddSizes) || draft_.Has(Feature::kRanges);
      if (total) operands.push_back(None());
      if (!total && (d.attribute & 2) != 0) return Extreme(*self, dim, d, scope);
      const OpSchema& schema = total ? *sum : Choose(reduce, d.attribute);
      return Keep(builder_.CallOne(schema, std::move(operands)), scope);
    }
    case Kind::kSoftmax:
      return Keep(builder_.CallOne("aten::_softmax.out", {Of(*self), Number(dim), Flag(false)}),
                  scope);
    case Kind::kProduct: {
      const auto other = builder_.CallOne("aten::t_copy.out", ValuesAndNumbers({*self}));
      return other &&
             Keep(builder_.CallOne("aten::mm.out", ValuesAndNumbers({*self, *other})), scope);
    }
    case Kind::kCat: {
      const ValueId other = PickLike(scope, d.b, *self);
      return Keep(builder_.CallOne("aten::cat.out",
                                   Operands(List(ValuesAndNumbers({*self, other})), Number(dim))),
                  scope);
    }
    default: {
      const auto made = builder_.CallOne("aten::_to_copy.out", {Of(*self), Flag(false), None()});
      if (!made) return false;
      static constexpr ScalarType kTypes[] = {ScalarType::kFloat32, ScalarType::kInt32,
                                              ScalarType::kFloat64, ScalarType::kInt64};
      SetDtype(*made, kTypes[d.attribute % std::size(kTypes)]);
      return Keep(made, scope);
    }
  }
}

// Two results of one operator: the largest or smallest along a dimension, and where they are.
bool NodeMaker::Extreme(ValueId self, int64_t dim, const NodeDraft& d, Scope& scope) {
  static const auto extremes = Schemas("aten::max.dim_max", "aten::min.dim_min");
  const OpSchema& schema = Choose(extremes, d.b);
  if (!builder_.CallOne(schema, Operands(Of(self), Number(dim), Flag((d.flags & 1) != 0))))
    return false;
  const std::vector<ValueId> made = builder_.last().results;
  if (draft_.Has(Feature::kMixedTypes)) Keep(made.back(), scope);
  return Keep(made.front(), scope);
}

// A delegate, or an operator that nobody knows: one or two results like its operands.
bool NodeMaker::Opaque(Kind kind, const NodeDraft& d, Scope& scope) {
  auto a = Pick(scope, d.a, Any);
  const auto b = Pick(scope, d.b, Any);
  if (!a || !b) return false;
  // What is new has no other reader: it may be passed through.
  const bool may_pass = kind == Kind::kUnknown && draft_.Has(Feature::kInPlace);
  if (may_pass && (d.flags & 4) != 0) a = builder_.CallOne("aten::clone.out", {Of(*a), None()});
  if (!a) return false;
  // Those without a buffer: state is the host's.
  const bool on_device = draft_.Has(Feature::kDevices) && (d.flags & 1) == 0;
  if (kind == Kind::kDelegate && on_device) return OnDevice(*a, *b, d, scope);
  Node node;
  node.kind = kind == Kind::kDelegate ? graph::NodeKind::kDelegate : graph::NodeKind::kCall;
  node.op = kind == Kind::kDelegate ? "backend" : "custom::opaque.out";
  node.operands = {Of(*a), Of(*b)};
  node.results = {DeclareLike(*a)};
  if ((d.attribute & 1) != 0) node.results.push_back(DeclareLike(*b));
  if (kind == Kind::kDelegate && depth_ == 0) GiveBuffers(d, node);
  if (kind == Kind::kUnknown) ShapeCall(*a, *b, d, node);
  const std::vector<ValueId> made = builder_.Add(std::move(node)).results;
  const bool in_place = may_pass && graph::ValueOfOperand(builder_.last().operands.front()) == a;
  if (in_place && (d.flags & 4) != 0) TakeOperand(d, *a, made.front(), scope);
  for (const ValueId v : made) Keep(v, scope);
  return true;
}

// What third-party operators look like: lists, operands that may be absent, numbers between
// tensors, and results that only the return slot holds.
void NodeMaker::ShapeCall(ValueId a, ValueId b, const NodeDraft& d, Node& node) {
  switch (d.spare % 5) {
    case 1:
      node.operands = {List(ValuesAndNumbers({a, b}))};
      return;
    case 2:
      node.operands = {Of(a), None(), Number(3), Of(b)};
      return;
    case 3:
      node.operands = {Number(0), List({Of(a), None()}), Of(b), Flag(true)};
      return;
    case 4:
      node.op = "custom::functional";
      return;
    default:
      return;
  }
}

// A delegate on a device. What it takes and gives wishes to lie there, and no other node sees that:
// copies stand before and behind it.
bool NodeMaker::OnDevice(ValueId a, ValueId b, const NodeDraft& d, Scope& scope) {
  Node node;
  node.kind = graph::NodeKind::kDelegate;
  node.op = "backend";
  node.pool = kDevicePool;
  for (const ValueId host : {a, b}) {
    const auto there = builder_.CallOne("et_copy::_h2d_copy.out", {Of(host)});
    if (!there) return false;
    builder_.last().pool = kDevicePool;
    node.operands.push_back(Of(*there));
  }
  node.results = {DeclareLike(a)};
  if ((d.attribute & 1) != 0) node.results.push_back(DeclareLike(b));
  const std::vector<ValueId> made = builder_.Add(std::move(node)).results;
  for (const ValueId there : made) {
    const auto host = builder_.CallOne("et_copy::_d2h_copy.out", {Of(there)});
    if (!host) return false;
    builder_.last().pool = kHostPool;
    Keep(host, scope);
  }
  return true;
}

// Some delegates work on a buffer, a few write it; build_module.cc knows which may own theirs.
void NodeMaker::GiveBuffers(const NodeDraft& d, Node& node) {
  if (module_.buffers.empty() || (d.flags & 1) == 0) return;
  const auto buffer = static_cast<int32_t>(d.c % module_.buffers.size());
  const auto role = (d.flags & 2) != 0 ? graph::DelegateRole::kShares : graph::DelegateRole::kUses;
  const bool writes = (d.flags & 4) != 0 && !IsWritten(buffer);
  if (writes) written_.push_back(buffer);
  node.buffers = {{buffer, role, writes}};
}

bool NodeMaker::IsWritten(int32_t buffer) const {
  return std::ranges::find(written_, buffer) != written_.end();
}

bool NodeMaker::Regions(Kind kind, const NodeDraft& d, std::span<const NodeDraft> rest,
                        Scope& scope) {
  // Deeper nests show nothing new, and cost runs of runs.
  constexpr int kDeepest = 2;
  if (depth_ >= kDeepest) return false;
  ++depth_;
  const bool made = kind == Kind::kCond    ? Cond(d, rest, scope)
                    : kind == Kind::kWhile ? While(d, rest, scope)
                                           : Rows(kind, d, rest, scope);
  --depth_;
  return made;
}

}  // namespace pteproof::generators
