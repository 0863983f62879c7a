// Questions about two operands, and bits of integers, element by element.
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/kernel_rows.h"
#include "runtime/kernels/numbers.h"
#include "runtime/kernels/sizes.h"

namespace pteproof::kernels {
namespace {

constexpr auto kEq = []<class T>(T a, T b) { return a == b; };
constexpr auto kNe = []<class T>(T a, T b) { return a != b; };
constexpr auto kLt = []<Ordered T>(T a, T b) { return a < b; };
constexpr auto kLe = []<Ordered T>(T a, T b) { return a <= b; };
constexpr auto kGt = []<Ordered T>(T a, T b) { return a > b; };
constexpr auto kGe = []<Ordered T>(T a, T b) { return a >= b; };
// NaN is true: it is not zero.
constexpr auto kLogicalAnd = []<class T>(T a, T b) { return a != T() && b != T(); };
constexpr auto kLogicalOr = []<class T>(T a, T b) { return a != T() || b != T(); };
constexpr auto kLogicalXor = []<class T>(T a, T b) { return (a != T()) != (b != T()); };
constexpr auto kAnd = []<std::integral T>(T a, T b) { return a & b; };
constexpr auto kOr = []<std::integral T>(T a, T b) { return a | b; };
constexpr auto kXor = []<std::integral T>(T a, T b) { return a ^ b; };

template <auto kOp>
constexpr Kernel QuestionRow(std::string_view name) {
  return {name, AsSpread<0, 1>, ToBool<kOp, 0, 1>};
}
template <auto kOp>
constexpr Kernel BitsRow(std::string_view name) {
  return {name, AsSpread<0, 1>, InCommon<kOp, 0, 1>};
}

constexpr Kernel kCompareKernels[] = {
    QuestionRow<kEq>("aten::eq.Tensor_out"),
    QuestionRow<kEq>("aten::eq.Scalar_out"),
    QuestionRow<kNe>("aten::ne.Tensor_out"),
    QuestionRow<kNe>("aten::ne.Scalar_out"),
    QuestionRow<kLt>("aten::lt.Tensor_out"),
    QuestionRow<kLt>("aten::lt.Scalar_out"),
    QuestionRow<kLe>("aten::le.Tensor_out"),
    QuestionRow<kLe>("aten::le.Scalar_out"),
    QuestionRow<kGt>("aten::gt.Tensor_out"),
    QuestionRow<kGt>("aten::gt.Scalar_out"),
    QuestionRow<kGe>("aten::ge.Tensor_out"),
    QuestionRow<kGe>("aten::ge.Scalar_out"),
    QuestionRow<kLogicalAnd>("aten::logical_and.out"),
    QuestionRow<kLogicalOr>("aten::logical_or.out"),
    QuestionRow<kLogicalXor>("aten::logical_xor.out"),
    BitsRow<kAnd>("aten::bitwise_and.Tensor_out"),
    BitsRow<kAnd>("aten::bitwise_and.Scalar_out"),
    BitsRow<kOr>("aten::bitwise_or.Tensor_out"),
    BitsRow<kOr>("aten::bitwise_or.Scalar_out"),
    BitsRow<kXor>("aten::bitwise_xor.Tensor_out"),
    BitsRow<kXor>("aten::bitwise_xor.Scalar_out"),
};

}  // namespace

std::span<const Kernel> CompareKernels() {
  return kCompareKernels;
}

}  // namespace pteproof::kernels
