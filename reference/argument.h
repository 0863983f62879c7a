// What an operator is called with: contents in a run, types before one. The same list of kinds in
// both, so that a shape rule and a meaning find their arguments alike.
#ifndef PTEPROOF_REFERENCE_ARGUMENT_H_
#define PTEPROOF_REFERENCE_ARGUMENT_H_

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/size_expr.h"
#include "reference/tensor_type.h"
#include "reference/tensor_value.h"

namespace pteproof {

// None, an integer, a bool, a float, a text, a tensor, or a list of integers, floats, bools or
// tensors (null: None in the list). Tensors and texts belong to the caller.
template <class Int, class Tensor>
using ArgumentOf = std::variant<std::monostate, Int, bool, double, std::string_view, const Tensor*,
                                std::vector<Int>, std::vector<double>, std::vector<bool>,
                                std::vector<const Tensor*>>;

using Argument = ArgumentOf<int64_t, TensorValue>;
using TypeArgument = ArgumentOf<SizeExpr, TensorType>;

// A number that an operator returns in place of a tensor.
using ScalarResult = std::variant<int64_t, bool, double>;

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_ARGUMENT_H_
