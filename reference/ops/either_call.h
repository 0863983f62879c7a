// Reads operands alike before a run, where sizes are expressions, and in one, for what type rules
// and meanings both have to know.
#ifndef PTEPROOF_REFERENCE_OPS_EITHER_CALL_H_
#define PTEPROOF_REFERENCE_OPS_EITHER_CALL_H_

#include <optional>
#include <string_view>
#include <vector>

#include "reference/op_schema.h"
#include "reference/operands.h"

namespace pteproof {

// A size as a number; nothing where it depends on the dims.
[[nodiscard]] inline std::optional<int64_t> NumberIn(int64_t number) {
  return number;
}
[[nodiscard]] inline std::optional<int64_t> NumberIn(const SizeExpr& size) {
  return size.Constant();
}

// The numbers of an integer or of a list of them, none for None; nothing where one depends on the
// dims.
template <class Arg>
[[nodiscard]] std::optional<std::vector<int64_t>> NumbersAt(const CallOf<Arg>& call, size_t i) {
  std::vector<int64_t> numbers;
  const auto add = [&](const auto& size) {
    const auto number = NumberIn(size);
    if (number) numbers.push_back(*number);
    return number.has_value();
  };
  if (const auto* single = std::get_if<IntOfArg<Arg>>(&call.args[i])) {
    return add(*single) ? std::optional(numbers) : std::nullopt;
  }
  for (const auto& size : IntsAt(call, i)) {
    if (!add(size)) return std::nullopt;
  }
  return numbers;
}

// The operand of that name, if the operator has one and it is given (is not None).
template <class Arg>
[[nodiscard]] std::optional<size_t> Given(const CallOf<Arg>& call, std::string_view name) {
  size_t operand = 0;
  for (const ArgSchema& arg : call.schema->args) {
    if (arg.out) continue;
    if (arg.name == name) return IsNone(call, operand) ? std::nullopt : std::optional(operand);
    ++operand;
  }
  return std::nullopt;
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_EITHER_CALL_H_
