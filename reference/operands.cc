#include "reference/operands.h"

#include <algorithm>

namespace pteproof {

Number NumberOf(const Argument& argument) {
  Number number;
  if (const auto* integer = std::get_if<int64_t>(&argument)) {
    number = {Number::Kind::kInt, *integer, static_cast<double>(*integer)};
  } else if (const auto* flag = std::get_if<bool>(&argument)) {
    number = {Number::Kind::kBool, *flag ? 1 : 0, *flag ? 1.0 : 0.0};
  } else {
    number = {Number::Kind::kReal, 0, std::get<double>(argument)};
  }
  return number;
}

Number::Kind NumberKindAt(const TypeCall& call, size_t i) {
  if (std::holds_alternative<SizeExpr>(call.args[i])) return Number::Kind::kInt;
  return std::holds_alternative<bool>(call.args[i]) ? Number::Kind::kBool : Number::Kind::kReal;
}

std::optional<int64_t> Dimension(int64_t dim, int64_t rank) {
  const int64_t most = std::max<int64_t>(rank, 1);
  if (dim < -most || dim >= most) return std::nullopt;
  return dim < 0 ? dim + most : dim;
}

std::optional<int64_t> ConstantAt(const TypeCall& call, size_t i) {
  return IntAt(call, i).Constant();
}

std::optional<std::vector<int64_t>> ConstantsAt(const TypeCall& call, size_t i) {
  std::vector<int64_t> numbers;
  for (const SizeExpr& size : IntsAt(call, i)) {
    const auto number = size.Constant();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace pteproof
