// Nodes that move elements, name some of them, or store through such names.
#include <utility>

#include "properties/generators/choices.h"
#include "properties/generators/node_maker.h"
#include "reference/op_schema.h"

namespace pteproof::generators {
namespace {

using graph::Flag;
using graph::List;
using graph::None;
using graph::Number;
using graph::Of;
using graph::Operand;
using graph::Operands;
using graph::ValuesAndNumbers;

std::optional<int64_t> SizeOf(const TensorType& type, int64_t dim) {
  return type.rank() == 0 ? std::nullopt : type.sizes[static_cast<size_t>(dim)].Constant();
}

}  // namespace

std::optional<ValueId> NodeMaker::MoveOf(ValueId self, const NodeDraft& d, Kind kind) {
  const TensorType& type = TypeOf(self);
  const size_t rank = type.rank();
  const int64_t dim = Modulo(d.c, rank);
  const auto size = SizeOf(type, dim);
  switch (kind) {
    case Kind::kSlice: {
      if (!size || *size == 0) return std::nullopt;
      const int64_t start = d.attribute % *size;
      const int64_t end = start + 1 + d.b % (*size - start);
      static const OpSchema* const slice = FindOperator("aten::slice_copy.Tensor_out");
      return builder_.CallOne(*slice, ValuesAndNumbers({self}, {dim, start, end, 1}));
    }
    case Kind::kSelect: {
      if (!size || *size == 0) return std::nullopt;
      static const OpSchema* const select = FindOperator("aten::select_copy.int_out");
      return builder_.CallOne(*select, ValuesAndNumbers({self}, {dim, d.attribute % *size}));
    }
    case Kind::kReshape: {
      graph::OperandList sizes;
      sizes.reserve(2);
      if ((d.attribute & 1) != 0) sizes.push_back(Number(1));
      sizes.push_back(Number(Product(type.sizes)));
      static const OpSchema* const view = FindOperator("aten::view_copy.out");
      return builder_.CallOne(*view, Operands(Of(self), List(std::move(sizes))));
    }
    case Kind::kPermute: {
      if (rank < 2) return std::nullopt;
      const int64_t other = (dim + 1) % static_cast<int64_t>(rank);
      static const OpSchema* const transpose = FindOperator("aten::transpose_copy.int_out");
      return builder_.CallOne(*transpose, ValuesAndNumbers({self}, {dim, other}));
    }
    case Kind::kUnsqueeze: {
      if (rank > 3) return std::nullopt;
      static const OpSchema* const unsqueeze = FindOperator("aten::unsqueeze_copy.out");
      return builder_.CallOne(*unsqueeze, ValuesAndNumbers({self}, {dim}));
    }
    default: {
      static const OpSchema* const clone = FindOperator("aten::clone.out");
      return builder_.CallOne(*clone, {Of(self), None()});
    }
  }
}

bool NodeMaker::Move(Kind kind, const NodeDraft& d, Scope& scope) {
  if (kind == Kind::kScatter) return Scatter(d, scope);
  const auto self = Pick(scope, d.a, Any);
  return self && Keep(MoveOf(*self, d, kind), scope);
}

// A slice of another value of the type goes where that slice lies.
bool NodeMaker::Scatter(const NodeDraft& d, Scope& scope) {
  const auto self = Pick(scope, d.a, HasDimension);
  if (!self) return false;
  const ValueId other = PickLike(scope, d.b, *self);
  const int64_t dim = Modulo(d.c, TypeOf(*self).rank());
  const auto size = SizeOf(TypeOf(*self), dim);
  if (!size || *size == 0) return false;
  const int64_t start = d.attribute % *size;
  const auto part = builder_.CallOne("aten::slice_copy.Tensor_out",
                                     ValuesAndNumbers({other}, {dim, start, *size, 1}));
  if (!part) return false;
  const auto made = builder_.CallOne("aten::slice_scatter.out",
                                     ValuesAndNumbers({*self, *part}, {dim, start, *size, 1}));
  const bool in_place = made && draft_.Has(Feature::kInPlace) && (d.flags & 1) != 0;
  if (in_place) TakeOperand(d, *self, *made, scope);
  return Keep(made, scope);
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

// In a region it may reach out of it, through a parameter.
bool NodeMaker::Mutate(const NodeDraft& d, Scope& scope) {
  static const auto schemas =
      Schemas("aten::add_.Tensor", "aten::mul_.Tensor", "aten::copy_", "aten::copy_");
  const auto self = Pick(scope, d.a, IsNumeric);
  if (!self) return false;
  const ValueId other = PickLike(scope, d.b, *self);
  if ((d.flags & 3) == 3) return Keep(PutPart(d, *self, other), scope);
  const OpSchema& schema = Choose(schemas, d.attribute);
  std::vector<Operand> operands = {Of(*self), Of(PickOther(scope, d, *self))};
  if (schema.name == "aten::add_.Tensor") operands.push_back(Number(1));
  if (schema.name == "aten::copy_") operands.push_back(Flag(false));
  return Keep(builder_.CallOne(schema, std::move(operands)), scope);
}

// A part of a value is overwritten where it is: a row, elements that a mask names, or positions of
// a cache.
std::optional<ValueId> NodeMaker::PutPart(const NodeDraft& d, ValueId self, ValueId other) {
  const TensorType& type = TypeOf(self);
  if (type.rank() == 0) return std::nullopt;
  const int form = d.c / 2 % 10;
  if (form == 2) return PutInCache(d, self, other);
  if (form == 9) {
    const auto mask = builder_.CallOne("aten::gt.Tensor_out", {Of(self), Of(other)});
    if (!mask) return std::nullopt;
    return builder_.CallOne("aten::masked_fill_.Scalar", {Of(self), Of(*mask), Number(3)});
  }
  return form < 6 ? PutIndex(d, form, self, other) : PutElements(d, form, self, other);
}

// The first row of another value goes to some row, or is added to it; or a number does.
std::optional<ValueId> NodeMaker::PutIndex(const NodeDraft& d, int form, ValueId self,
                                           ValueId other) {
  const auto rows = SizeOf(TypeOf(self), 0);
  if (!rows || *rows == 0) return std::nullopt;
  const auto index =
      builder_.CallOne("aten::full.out", {List({Number(1)}), Number(d.attribute % *rows)});
  if (!index) return std::nullopt;
  SetDtype(*index, ScalarType::kInt64);
  if (form == 5) {
    return builder_.CallOne("aten::index_fill_.int_Scalar",
                            {Of(self), Number(0), Of(*index), Number(3)});
  }
  const auto row =
      builder_.CallOne("aten::slice_copy.Tensor_out", ValuesAndNumbers({other}, {0, 0, 1, 1}));
  if (!row) return std::nullopt;
  if (form == 4) {
    return builder_.CallOne("aten::index_copy_", {Of(self), Number(0), Of(*index), Of(*row)});
  }
  if (form == 3) {
    return builder_.CallOne("aten::index_add_",
                            {Of(self), Number(0), Of(*index), Of(*row), Number(2)});
  }
  return builder_.CallOne("aten::index_put_",
                          {Of(self), List({Of(*index)}), Of(*row), Flag((d.c & 1) != 0)});
}

// Each element of the first row of another value goes to some row by an index of its own, or is
// added there; or a number does.
std::optional<ValueId> NodeMaker::PutElements(const NodeDraft& d, int form, ValueId self,
                                              ValueId other) {
  const auto rows = SizeOf(TypeOf(self), 0);
  if (!rows || *rows == 0) return std::nullopt;
  graph::OperandList sizes = {Number(1)};
  for (size_t i = 1; i < TypeOf(self).rank(); ++i) sizes.push_back(Number(TypeOf(self).sizes[i]));
  const auto index =
      builder_.CallOne("aten::full.out", {List(std::move(sizes)), Number(d.attribute % *rows)});
  if (!index) return std::nullopt;
  SetDtype(*index, ScalarType::kInt64);
  if (form == 8) {
    return builder_.CallOne("aten::scatter_.value", {Of(self), Number(0), Of(*index), Number(3)});
  }
  const auto row =
      builder_.CallOne("aten::slice_copy.Tensor_out", ValuesAndNumbers({other}, {0, 0, 1, 1}));
  if (!row) return std::nullopt;
  return builder_.CallOne(form == 6 ? "aten::scatter_.src" : "aten::scatter_add_",
                          {Of(self), Number(0), Of(*index), Of(*row)});
}

// One position of the second of four dimensions, through a view that has as many.
std::optional<ValueId> NodeMaker::PutInCache(const NodeDraft& d, ValueId self, ValueId other) {
  std::optional<ValueId> cache = self;
  std::optional<ValueId> from = other;
  const auto rank = static_cast<int64_t>(TypeOf(self).rank());
  for (int64_t r = rank; r < 4 && cache && from; ++r) {
    const int64_t dim = r == rank ? 0 : r;
    cache = builder_.CallOne("aten::unsqueeze_copy.out", ValuesAndNumbers({*cache}, {dim}));
    if (cache) builder_.last().view = true;
    from = builder_.CallOne("aten::unsqueeze_copy.out", ValuesAndNumbers({*from}, {dim}));
  }
  if (!cache || !from) return std::nullopt;
  const auto positions = SizeOf(TypeOf(*cache), 1);
  if (!positions || *positions == 0) return std::nullopt;
  const auto one =
      builder_.CallOne("aten::slice_copy.Tensor_out", ValuesAndNumbers({*from}, {1, 0, 1, 1}));
  if (!one) return std::nullopt;
  return builder_.CallOne("llama::update_cache.out",
                          {Of(*one), Of(*cache), Number(d.attribute % *positions)});
}

}  // namespace pteproof::generators
