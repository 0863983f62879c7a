#include "properties/oracles/replay_calls.h"

#include <fmt/format.h>

#include <utility>

#include "base/work.h"
#include "properties/oracles/decode_tensor.h"
#include "properties/oracles/tensor_forms.h"
#include "reference/op_schema.h"

namespace pteproof {

Result<std::optional<std::vector<Sizes>>, EvaluateError> SizesByRule(
    const OpSchema& schema, std::span<const Argument> operands) {
  const auto types = ResultTypes(schema, operands);
  if (!types.ok() && types.error().unknown) return std::optional<std::vector<Sizes>>();
  if (!types.ok()) return types.error();
  std::vector<Sizes> all;
  for (const TensorType& type : types.value()) {
    auto sizes = ConcreteSizes(type.sizes);
    if (!sizes) {
      return EvaluateError{false,
                           std::string(schema.name) + ": the size of a result is out of range"};
    }
    all.push_back(*std::move(sizes));
  }
  return std::optional(std::move(all));
}

std::string FormFault(const Method& method, const OpSchema& schema, std::span<const int32_t> args) {
  if (schema.args[0].access == Access::kFill && !IsARowOf(method, args[1], args[0])) {
    return "a row does not have the type, sizes and layout of its place";
  }
  if (schema.name != "dim_order_ops::_clone_dim_order.out") return {};
  const Tensor* self = method.TensorOf(args[0]);
  const Tensor* out = method.TensorOf(args[schema.args.size() - 1]);
  const bool alike = self == nullptr || out == nullptr || self->dtype == out->dtype;
  return alike ? "" : "the result of a clone has another element type than its operand";
}

std::string NumberFault(const ArgSchema& arg, const ScalarResult& number) {
  const auto unless = [&](bool fits, const char* kind) {
    return fits ? "" : fmt::format("'{}' is not {}", arg.name, kind);
  };
  switch (arg.kind) {
    case ArgKind::kInt:
      return unless(std::holds_alternative<int64_t>(number), "an integer");
    case ArgKind::kBool:
      return unless(std::holds_alternative<bool>(number), "a bool");
    case ArgKind::kFloat:
      return unless(std::holds_alternative<double>(number), "a float");
    default:
      return {};
  }
}

std::optional<WrittenPart> PartWritten(const OpSchema& schema, std::span<const Argument> operands) {
  if (operands.size() != 3 || schema.args[0].access != Access::kFill) return std::nullopt;
  const auto* row = std::get_if<const TensorValue*>(&operands[1]);
  const auto* index = std::get_if<int64_t>(&operands[2]);
  if (row == nullptr || index == nullptr) return std::nullopt;
  const uint64_t nbytes = (*row)->bytes.size();
  return WrittenPart{static_cast<uint64_t>(*index) * nbytes, nbytes};
}

std::string Misfit(const Method& method, size_t n, const TensorValue& given) {
  const Tensor& wanted = *method.TensorOf(method.inputs[n]);
  if (!FitsFile(method, {&method.inputs[n], 1}, {&given.sizes, 1})) {
    return fmt::format("input {} has the sizes [{}]; the method takes {}[{}]", n,
                       fmt::join(given.sizes, ", "),
                       wanted.dynamism == Dynamism::kStatic ? "" : "at most ",
                       fmt::join(SizesOf(method, wanted), ", "));
  }
  const int64_t nbytes = CappedProduct({ElementCount(given), ElementSize(given.dtype)});
  if (nbytes == static_cast<int64_t>(given.bytes.size())) return {};
  return fmt::format("input {} has {} bytes; its sizes take {}", n, given.bytes.size(), nbytes);
}

bool IsUpdated(const OpSchema& schema, std::span<const int32_t> args, int32_t v) {
  for (size_t a = 0; a < schema.args.size(); ++a) {
    if (args[a] == v && !schema.args[a].out && schema.args[a].access != Access::kRead) {
      return true;
    }
  }
  return false;
}

}  // namespace pteproof
