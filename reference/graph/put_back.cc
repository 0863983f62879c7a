// The inverse of a view, by its operator: reshapes by a reshape to the sizes of the base,
// transpositions by themselves, permutations by the inverse permutation, and parts by the operator
// that scatters a part. A view whose elements share bytes (expand) has no inverse. Cost: O(rank).
//
//   view    permute(b, [2, 0, 1])        put back    permute(contents, [1, 2, 0])
//   view    slice(b, 0, 2, 3, 1)         put back    slice_scatter(b, contents, 0, 2, 3, 1)
#include "reference/graph/put_back.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/builder.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

Node CallOf(std::string_view op, std::vector<Operand> operands) {
  Node call;
  call.op = op;
  call.schema = FindOperator(op);
  call.operands = std::move(operands);
  return call;
}

// What the view took, after the base and the contents.
std::vector<Operand> WithOperandsOf(const Node& view, std::vector<Operand> operands) {
  operands.insert(operands.end(), view.operands.begin() + 1, view.operands.end());
  return operands;
}

// The permutation that undoes the view's. Nothing: it is none.
std::optional<Operand> InverseOf(const Operand& permutation, size_t rank) {
  const auto* dims = std::get_if<OperandList>(&permutation.held);
  if (dims == nullptr || dims->size() != rank) return std::nullopt;
  OperandList inverse(rank);
  for (size_t d = 0; d < rank; ++d) {
    const auto* size = std::get_if<SizeExpr>(&(*dims)[d].held);
    const auto dim = size == nullptr ? std::nullopt : size->Constant();
    const auto ranks = static_cast<int64_t>(rank);
    if (!dim || *dim < -ranks || *dim >= ranks) return std::nullopt;
    inverse[static_cast<size_t>(*dim < 0 ? *dim + ranks : *dim)] = Number(static_cast<int64_t>(d));
  }
  return List(std::move(inverse));
}

OperandList SizesOf(const TensorType& type) {
  OperandList sizes;
  for (const SizeExpr& size : type.sizes) sizes.push_back(Number(size));
  return sizes;
}

bool IsOneOf(std::string_view op, std::span<const std::string_view> ops) {
  return std::ranges::find(ops, op) != ops.end();
}

constexpr auto kReshapes =
    std::to_array<std::string_view>({"aten::view_copy.out", "aten::squeeze_copy.dim_out",
                                     "aten::squeeze_copy.dims_out", "aten::unsqueeze_copy.out"});
constexpr auto kOwnInverses =
    std::to_array<std::string_view>({"aten::transpose_copy.int_out", "aten::t_copy.out"});

}  // namespace

std::optional<Node> PutBack(const Node& view, const TensorType& base_type, ValueId base,
                            ValueId contents) {
  if (view.op == "aten::alias_copy.out") return Node{};
  if (IsOneOf(view.op, kReshapes)) {
    return CallOf("aten::view_copy.out", {Of(contents), List(SizesOf(base_type))});
  }
  if (IsOneOf(view.op, kOwnInverses)) {
    return CallOf(view.op, WithOperandsOf(view, {Of(contents)}));
  }
  if (view.op == "aten::slice_copy.Tensor_out") {
    return CallOf("aten::slice_scatter.out", WithOperandsOf(view, {Of(base), Of(contents)}));
  }
  if (view.op == "aten::select_copy.int_out") {
    return CallOf("aten::select_scatter.out", WithOperandsOf(view, {Of(base), Of(contents)}));
  }
  if (view.op == "aten::permute_copy.out") {
    auto inverse = InverseOf(view.operands[1], base_type.rank());
    if (inverse) return CallOf(view.op, {Of(contents), *std::move(inverse)});
  }
  return std::nullopt;
}

}  // namespace pteproof::graph
