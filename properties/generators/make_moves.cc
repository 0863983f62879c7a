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
  return part && Keep(builder_.CallOne("aten::slice_scatter.out",
                                       ValuesAndNumbers({*self, *part}, {dim, start, *size, 1})),
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

// In a region it may reach out of it, through a parameter.
bool NodeMaker::Mutate(const NodeDraft& d, Scope& scope) {
  static const auto schemas =
      Schemas("aten::add_.Tensor", "aten::mul_.Tensor", "aten::copy_", "aten::copy_");
  const auto self = Pick(scope, d.a, IsNumeric);
  if (!self) return false;
  const ValueId other = PickLike(scope, d.b, *self);
  if ((d.flags & 7) == 7) return Keep(PutIndex(d, *self, other), scope);
  const OpSchema& schema = Choose(schemas, d.attribute);
  std::vector<Operand> operands = {Of(*self), Of(PickOther(scope, d, *self))};
  if (schema.name == "aten::add_.Tensor") operands.push_back(Number(1));
  if (schema.name == "aten::copy_") operands.push_back(Flag(false));
  return Keep(builder_.CallOne(schema, std::move(operands)), scope);
}

// The first row of another value goes to some row, or is added to it; or a number does.
std::optional<ValueId> NodeMaker::PutIndex(const NodeDraft& d, ValueId self, ValueId other) {
  const auto rows = SizeOf(TypeOf(self), 0);
  if (!rows || *rows == 0) return std::nullopt;
  const auto index =
      builder_.CallOne("aten::full.out", {List({Number(1)}), Number(d.attribute % *rows)});
  if (!index) return std::nullopt;
  SetDtype(*index, ScalarType::kInt64);
  const int form = d.c / 2 % 6;
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

}  // namespace pteproof::generators
