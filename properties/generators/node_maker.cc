#include "properties/generators/node_maker.h"

#include <algorithm>
#include <array>
#include <utility>

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
using graph::Real;

// Larger results are not made, so that no chain of concatenations grows without end.
constexpr int64_t kMostElements = 512;

bool Any(const TensorType&) {
  return true;
}
bool IsReal(const TensorType& type) {
  return IsFloat(type.dtype);
}
bool IsNumeric(const TensorType& type) {
  return IsFloat(type.dtype) || IsInteger(type.dtype);
}
bool HasDimension(const TensorType& type) {
  return type.rank() > 0;
}
bool IsRealWithDimension(const TensorType& type) {
  return IsReal(type) && HasDimension(type);
}
bool IsNumericWithDimension(const TensorType& type) {
  return IsNumeric(type) && HasDimension(type);
}
bool IsMatrix(const TensorType& type) {
  return IsReal(type) && type.rank() == 2;
}

template <size_t N>
const OpSchema& Choose(const std::array<const OpSchema*, N>& schemas, uint8_t number) {
  return *schemas[number % N];
}

// Looked up once: a case is made in microseconds.
template <class... Names>
std::array<const OpSchema*, sizeof...(Names)> Schemas(Names... names) {
  return {FindOperator(names)...};
}

uint8_t Modulo(uint8_t number, size_t count) {
  return static_cast<uint8_t>(number % std::max<size_t>(count, 1));
}

void Repeat(std::vector<Kind>& kinds, std::initializer_list<Kind> what, int times) {
  for (int n = 0; n < times; ++n) kinds.insert(kinds.end(), what);
}

}  // namespace

std::vector<Kind> KindsOf(const CaseDraft& draft) {
  std::vector<Kind> kinds;
  kinds.reserve(64);
  Repeat(kinds, {Kind::kUnary, Kind::kBinary}, 4);
  Repeat(kinds, {Kind::kTwice, Kind::kScalar, Kind::kSlice, Kind::kReshape, Kind::kClone}, 2);
  Repeat(kinds,
         {Kind::kReduce, Kind::kSoftmax, Kind::kProduct, Kind::kCat, Kind::kSelect, Kind::kPermute,
          Kind::kUnsqueeze, Kind::kScatter},
         1);
  if (draft.Has(Feature::kMixedTypes)) Repeat(kinds, {Kind::kConvert}, 2);
  if (draft.Has(Feature::kMutation)) Repeat(kinds, {Kind::kView, Kind::kMutate}, 3);
  if (draft.Has(Feature::kDelegates)) Repeat(kinds, {Kind::kDelegate}, 2);
  if (draft.Has(Feature::kUnknown)) Repeat(kinds, {Kind::kUnknown}, 2);
  if (draft.Has(Feature::kRegions)) {
    Repeat(kinds, {Kind::kCond, Kind::kWhile, Kind::kMap, Kind::kScan}, 2);
  }
  return kinds;
}

void NodeMaker::MakeAll(std::span<const NodeDraft> drafts, Scope& scope) {
  while (!drafts.empty()) {
    const NodeDraft& d = drafts.front();
    drafts = drafts.subspan(1);
    const Kind kind = kinds_[d.kind % kinds_.size()];
    // A region's body has the drafts that follow, whether the node is made or not.
    const bool has_body = kind >= Kind::kCond;
    const size_t body = has_body ? std::min<size_t>(d.length % 6U, drafts.size()) : 0;
    Make(kind, d, drafts.first(body), scope);
    drafts = drafts.subspan(body);
  }
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

// The youngest value that fits for 0, older ones for larger numbers.
std::optional<ValueId> NodeMaker::Pick(const Scope& scope, uint8_t number, Test fits) const {
  const size_t count = scope.tensors.size();
  for (size_t tried = 0; tried < count; ++tried) {
    const ValueId v = scope.tensors[count - 1 - (number + tried) % count];
    if (fits(TypeOf(v))) return v;
  }
  return std::nullopt;
}

// One of the same type as `like`: itself where there is no other.
std::optional<ValueId> NodeMaker::PickLike(const Scope& scope, uint8_t number, ValueId like) const {
  const size_t count = scope.tensors.size();
  for (size_t tried = 0; tried < count; ++tried) {
    const ValueId v = scope.tensors[count - 1 - (number + tried) % count];
    if (TypeOf(v) == TypeOf(like)) return v;
  }
  return like;
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

// What grew too large stays in the Module, and is used by nobody.
bool NodeMaker::Keep(std::optional<ValueId> made, Scope& scope) {
  if (!made || !IsSmall(TypeOf(*made))) return false;
  scope.tensors.push_back(*made);
  return true;
}

bool NodeMaker::Elementwise(Kind kind, const NodeDraft& d, Scope& scope) {
  static const auto unary = Schemas("aten::neg.out", "aten::relu.out", "aten::sigmoid.out",
                                    "aten::abs.out", "aten::tanh.out", "aten::exp.out");
  static const auto binary = Schemas("aten::add.out", "aten::mul.out", "aten::sub.out",
                                     "aten::maximum.out", "aten::minimum.out");
  static const auto scalar = Schemas("aten::mul.Scalar_out", "aten::add.Scalar_out");
  const auto self = Pick(scope, d.a, kind == Kind::kUnary ? IsReal : IsNumeric);
  if (!self) return false;
  std::vector<Operand> operands = {Of(*self)};
  const OpSchema* schema = &Choose(unary, d.attribute);
  if (kind == Kind::kScalar) {
    schema = &Choose(scalar, d.attribute);
    operands.push_back(IsReal(TypeOf(*self)) ? Real(0.5 * (d.b % 8) - 1) : Number(d.b % 5 - 2));
  } else if (kind != Kind::kUnary) {
    schema = &Choose(binary, d.attribute);
    const auto other = kind == Kind::kTwice ? self : PickLike(scope, d.b, *self);
    operands.push_back(Of(*other));
  }
  // add and sub have a factor for their second operand.
  const bool scales = schema->args.size() > operands.size() + 1;
  if (scales) operands.push_back(Number(1));
  const auto made = builder_.Call(*schema, std::move(operands));
  return made && Keep(made->front(), scope);
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
      const Operand dims = List({Number(dim)});
      const Operand keep = Flag((d.flags & 1) != 0);
      // The extremes of nothing are no number.
      const bool total =
          (d.attribute & 1) != 0 || draft_.Has(Feature::kOddSizes) || draft_.Has(Feature::kRanges);
      const auto made = total ? builder_.Call(*sum, {Of(*self), dims, keep, None()})
                              : builder_.Call(Choose(reduce, d.attribute), {Of(*self), dims, keep});
      return made && Keep(made->front(), scope);
    }
    case Kind::kSoftmax:
      return Keep(builder_.CallOne("aten::_softmax.out", {Of(*self), Number(dim), Flag(false)}),
                  scope);
    case Kind::kProduct: {
      const auto other = builder_.CallOne("aten::t_copy.out", {Of(*self)});
      return other && Keep(builder_.CallOne("aten::mm.out", {Of(*self), Of(*other)}), scope);
    }
    case Kind::kCat: {
      const auto other = PickLike(scope, d.b, *self);
      return Keep(builder_.CallOne("aten::cat.out", {List({Of(*self), Of(*other)}), Number(dim)}),
                  scope);
    }
    default: {
      const auto made = builder_.CallOne("aten::_to_copy.out", {Of(*self), Flag(false), None()});
      if (!made) return false;
      // The element type is no operand of the out form: the result's type says it.
      static constexpr ScalarType kTypes[] = {ScalarType::kFloat32, ScalarType::kInt32,
                                              ScalarType::kFloat64, ScalarType::kInt64};
      auto& type = std::get<TensorType>(builder_.method().values[static_cast<size_t>(*made)]);
      type.dtype = kTypes[d.attribute % std::size(kTypes)];
      return Keep(made, scope);
    }
  }
}

std::optional<ValueId> NodeMaker::MoveOf(ValueId self, const NodeDraft& d, Kind kind) {
  const TensorType type = TypeOf(self);
  const int64_t dim = Modulo(d.c, type.rank());
  const auto size =
      type.rank() > 0 ? type.sizes[static_cast<size_t>(dim)].Constant() : std::nullopt;
  switch (kind) {
    case Kind::kSlice: {
      if (!size || *size == 0) return std::nullopt;
      const int64_t start = d.attribute % *size;
      const int64_t end = start + 1 + d.b % (*size - start);
      return builder_.CallOne("aten::slice_copy.Tensor_out",
                              {Of(self), Number(dim), Number(start), Number(end), Number(1)});
    }
    case Kind::kSelect:
      if (!size || *size == 0) return std::nullopt;
      return builder_.CallOne("aten::select_copy.int_out",
                              {Of(self), Number(dim), Number(d.attribute % *size)});
    case Kind::kReshape: {
      graph::OperandList sizes = {Number(Product(type.sizes))};
      if ((d.attribute & 1) != 0) sizes.insert(sizes.begin(), Number(1));
      return builder_.CallOne("aten::view_copy.out", {Of(self), List(std::move(sizes))});
    }
    case Kind::kPermute: {
      if (type.rank() < 2) return std::nullopt;
      const int64_t other = (dim + 1) % static_cast<int64_t>(type.rank());
      return builder_.CallOne("aten::transpose_copy.int_out",
                              {Of(self), Number(dim), Number(other)});
    }
    case Kind::kUnsqueeze:
      if (type.rank() > 3) return std::nullopt;
      return builder_.CallOne("aten::unsqueeze_copy.out", {Of(self), Number(dim)});
    default:
      return builder_.CallOne("aten::clone.out", {Of(self), None()});
  }
}

bool NodeMaker::Move(Kind kind, const NodeDraft& d, Scope& scope) {
  const auto self = Pick(scope, d.a, kind == Kind::kScatter ? HasDimension : Any);
  if (!self) return false;
  if (kind != Kind::kScatter) return Keep(MoveOf(*self, d, kind), scope);
  // A slice of another value of the type goes where that slice lies.
  const auto other = PickLike(scope, d.b, *self);
  const int64_t dim = Modulo(d.c, TypeOf(*self).rank());
  const auto size = TypeOf(*self).sizes[static_cast<size_t>(dim)].Constant();
  if (!size || *size == 0) return false;
  const int64_t start = d.attribute % *size;
  const auto part =
      builder_.CallOne("aten::slice_copy.Tensor_out",
                       {Of(*other), Number(dim), Number(start), Number(*size), Number(1)});
  return part && Keep(builder_.CallOne("aten::slice_scatter.out",
                                       {Of(*self), Of(*part), Number(dim), Number(start),
                                        Number(*size), Number(1)}),
                      scope);
}

bool NodeMaker::View(const NodeDraft& d, Scope& scope) {
  static constexpr Kind kKinds[] = {Kind::kSlice, Kind::kSelect, Kind::kReshape, Kind::kPermute,
                                    Kind::kUnsqueeze};
  const auto self = Pick(scope, d.a, Any);
  if (!self) return false;
  const auto made = MoveOf(*self, d, kKinds[d.flags % std::size(kKinds)]);
  if (!made) return false;
  builder_.last().view = true;
  return Keep(made, scope);
}

// Regions see copies of nothing, but mutating one of their parameters would reach out of them.
bool NodeMaker::Mutate(const NodeDraft& d, Scope& scope) {
  static const auto schemas =
      Schemas("aten::add_.Tensor", "aten::mul_.Tensor", "aten::copy_", "aten::copy_");
  if (depth_ > 0) return false;
  const auto self = Pick(scope, d.a, IsNumeric);
  if (!self) return false;
  const auto other = PickLike(scope, d.b, *self);
  const OpSchema& schema = Choose(schemas, d.attribute);
  std::vector<Operand> operands = {Of(*self), Of(*other)};
  if (schema.name == "aten::add_.Tensor") operands.push_back(Number(1));
  if (schema.name == "aten::copy_") operands.push_back(Flag(false));
  const auto made = builder_.Call(schema, std::move(operands));
  return made && Keep(made->front(), scope);
}

// A delegate, or an operator that nobody knows: one or two results like its operands.
bool NodeMaker::Opaque(Kind kind, const NodeDraft& d, Scope& scope) {
  const auto a = Pick(scope, d.a, Any);
  const auto b = Pick(scope, d.b, Any);
  if (!a || !b) return false;
  Node node;
  node.kind = kind == Kind::kDelegate ? graph::NodeKind::kDelegate : graph::NodeKind::kCall;
  node.op = kind == Kind::kDelegate ? "backend" : "custom::opaque.out";
  node.operands = {Of(*a), Of(*b)};
  node.results = {builder_.Declare(TypeOf(*a))};
  if ((d.attribute & 1) != 0) node.results.push_back(builder_.Declare(TypeOf(*b)));
  const std::vector<ValueId> results = node.results;
  builder_.Add(std::move(node));
  for (const ValueId v : results) Keep(v, scope);
  return true;
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
