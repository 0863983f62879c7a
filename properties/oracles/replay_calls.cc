#include "properties/oracles/replay_calls.h"

#include <utility>

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
      return EvaluateError{false, std::string(schema.name) + ": the size of a result is out of range"};
    }
    all.push_back(*std::move(sizes));
  }
  return std::optional(std::move(all));
}

std::optional<WrittenPart> PartWritten(const OpSchema& schema, std::span<const Argument> operands) {
  if (operands.size() != 3 || schema.args[0].access != Access::kFill) return std::nullopt;
  const auto* row = std::get_if<const TensorValue*>(&operands[1]);
  const auto* index = std::get_if<int64_t>(&operands[2]);
  if (row == nullptr || index == nullptr) return std::nullopt;
  const uint64_t nbytes = (*row)->bytes.size();
  return WrittenPart{static_cast<uint64_t>(*index) * nbytes, nbytes};
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
