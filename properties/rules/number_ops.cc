#include "properties/rules/number_ops.h"

#include <algorithm>
#include <iterator>

namespace pteproof::checks {
namespace {

constexpr NumberOp kNumberOps[] = {
    {"executorch_prim::add.Scalar", Takes::kNumbers, Gives::kAsOperands, Sum::kAdd},
    {"executorch_prim::sub.Scalar", Takes::kNumbers, Gives::kAsOperands, Sum::kSubtract},
    {"executorch_prim::mul.Scalar", Takes::kNumbers, Gives::kAsOperands, Sum::kMultiply},
    {"executorch_prim::floordiv.Scalar", Takes::kNumbers, Gives::kAsOperands, Sum::kNone, true},
    {"executorch_prim::truediv.Scalar", Takes::kNumbers, Gives::kFloat},
    {"executorch_prim::mod.Scalar", Takes::kIntegers, Gives::kInteger, Sum::kNone, true},
    {"executorch_prim::floordiv.int", Takes::kIntegers, Gives::kInteger, Sum::kNone, true, true},
    {"executorch_prim::mod.int", Takes::kIntegers, Gives::kInteger, Sum::kNone, true, true},
    {"executorch_prim::sym_max.Scalar", Takes::kIntegers, Gives::kInteger, Sum::kMax},
    {"executorch_prim::sym_min.Scalar", Takes::kIntegers, Gives::kInteger, Sum::kMin},
    {"executorch_prim::eq.Scalar", Takes::kAlike, Gives::kBool},
    {"executorch_prim::gt.Scalar", Takes::kAlike, Gives::kBool},
    {"executorch_prim::lt.Scalar", Takes::kAlike, Gives::kBool},
    {"executorch_prim::ge.Scalar", Takes::kAlike, Gives::kBool},
    {"executorch_prim::le.Scalar", Takes::kAlike, Gives::kBool},
    {"executorch_prim::neg.Scalar", Takes::kNumbers, Gives::kAsOperands, Sum::kNegate},
    {"executorch_prim::sym_float.Scalar", Takes::kAny, Gives::kFloat},
    {"executorch_prim::sym_int.Scalar", Takes::kAny, Gives::kInteger, Sum::kSame},
    {"executorch_prim::sym_not.Scalar", Takes::kBool, Gives::kBool},
    {"executorch_prim::ceil.Scalar", Takes::kFloat, Gives::kInteger},
    {"executorch_prim::round.Scalar", Takes::kFloat, Gives::kInteger},
    {"executorch_prim::trunc.Scalar", Takes::kFloat, Gives::kInteger},
    {"executorch_prim::sym_ite.Scalar", Takes::kCondition, Gives::kChosen},
};

}  // namespace

const NumberOp* FindNumberOp(std::string_view name) {
  const auto* found = std::ranges::find(kNumberOps, name, &NumberOp::name);
  return found == std::end(kNumberOps) ? nullptr : found;
}

}  // namespace pteproof::checks
