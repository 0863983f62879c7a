#include "properties/compare/run/result_sizes.h"

#include <algorithm>
#include <utility>

#include "reference/evaluate.h"

namespace pteproof::compare {
namespace {

// Operators whose results are as long as their data say.
bool SizesDependOnData(const OpSchema& schema) {
  return schema.name == "aten::nonzero.out" || schema.name == "aten::masked_select.out" ||
         schema.name.starts_with("aten::repeat_interleave");
}

size_t CountTensors(std::span<const SymbolicArgument> operands) {
  size_t count = 0;
  for (const SymbolicArgument& operand : operands) {
    const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand);
    count += list == nullptr ? 1 : list->size();
  }
  return count;
}

const TensorType* AddType(const TensorShape& shape, std::vector<TensorType>& types) {
  TensorType& type = types.emplace_back();
  type.dtype = shape.dtype;
  type.sizes.assign(shape.sizes.begin(), shape.sizes.end());
  return &type;
}

std::optional<TypeArgument> TypeOf(const SymbolicArgument& operand,
                                   std::vector<TensorType>& types) {
  if (const auto* tensor = std::get_if<SymbolicTensor>(&operand)) {
    return TypeArgument(AddType(tensor->shape, types));
  }
  if (const auto* text = std::get_if<std::string_view>(&operand)) return TypeArgument(*text);
  if (const auto* number = std::get_if<SymbolicNumber>(&operand)) {
    if (!number->is_known()) return std::nullopt;
    if (number->kind == SymbolicNumber::Kind::kBool) return TypeArgument(number->bits != 0);
    if (number->kind == SymbolicNumber::Kind::kReal) return TypeArgument(RealOf(*number));
    return TypeArgument(SizeExpr(IntOf(*number)));
  }
  if (const auto* list = std::get_if<std::vector<SymbolicNumber>>(&operand)) {
    const bool reals = !list->empty() && list->front().kind == SymbolicNumber::Kind::kReal;
    const bool flags = !list->empty() && list->front().kind == SymbolicNumber::Kind::kBool;
    std::vector<SizeExpr> ints;
    std::vector<double> floats;
    std::vector<bool> bools;
    for (const SymbolicNumber& number : *list) {
      if (!number.is_known()) return std::nullopt;
      ints.emplace_back(IntOf(number));
      floats.push_back(RealOf(number));
      bools.push_back(number.bits != 0);
    }
    if (reals) return TypeArgument(std::move(floats));
    return flags ? TypeArgument(std::move(bools)) : TypeArgument(std::move(ints));
  }
  if (const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand)) {
    std::vector<const TensorType*> tensors;
    for (const auto& tensor : *list) {
      tensors.push_back(tensor ? AddType(tensor->shape, types) : nullptr);
    }
    return TypeArgument(std::move(tensors));
  }
  return TypeArgument(std::monostate{});
}

}  // namespace

ResultSizes SizesOfResults(const OpSchema& schema, std::span<const SymbolicArgument> operands) {
  std::vector<TensorType> types;
  types.reserve(CountTensors(operands));
  std::vector<TypeArgument> args;
  for (const SymbolicArgument& operand : operands) {
    auto arg = TypeOf(operand, types);
    if (!arg) return {};
    args.push_back(*std::move(arg));
  }
  ResultSizes result;
  const auto ruled = ResultTypes(schema, args);
  if (!ruled.ok()) {
    if (!ruled.error().unknown) result.refused = ruled.error().explanation;
    return result;
  }
  std::vector<Sizes> all;
  for (const TensorType& type : ruled.value()) {
    auto sizes = ConcreteSizes(type.sizes);
    if (!sizes) return {};
    all.push_back(*std::move(sizes));
  }
  result.sizes = std::move(all);
  result.by_data = SizesDependOnData(schema);
  return result;
}

bool AnyVaries(std::span<const SymbolicArgument> operands) {
  return std::ranges::any_of(operands, [](const SymbolicArgument& operand) {
    if (const auto* tensor = std::get_if<SymbolicTensor>(&operand)) return tensor->shape.varies;
    const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&operand);
    return list != nullptr && std::ranges::any_of(*list, [](const auto& tensor) {
             return tensor.has_value() && tensor->shape.varies;
           });
  });
}

}  // namespace pteproof::compare
