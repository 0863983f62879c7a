// Questions about two operands, and bits of integers, element by element.
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"

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

// Counts that are negative or not below the width shift everything out: zeros come in, on the right
// the sign.
struct ShiftLeft {
  int64_t width;

  template <std::integral T>
  T operator()(T a, T count) const {
    if (count < 0 || count >= width) return 0;
    return static_cast<T>(static_cast<uint64_t>(a) << count);
  }
};
struct ShiftRight {
  int64_t width;

  template <std::integral T>
  T operator()(T a, T count) const {
    if (count < 0 || count >= width) return a < 0 ? -1 : 0;
    return a >> count;
  }
};

template <class Op>
KernelStatus Shift(const KernelCall& call) {
  const ScalarType common = CommonOf<0, 1>(call);
  return Combine<0, 1>(call, {common, common}, Op{8 * int64_t{ElementSize(common)}});
}

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
    {"aten::logical_and_", nullptr, ToBool<kLogicalAnd, 0, 1>},
    {"aten::logical_or_", nullptr, ToBool<kLogicalOr, 0, 1>},
    {"aten::bitwise_and_.Tensor", nullptr, InCommon<kAnd, 0, 1>},
    {"aten::bitwise_or_.Tensor", nullptr, InCommon<kOr, 0, 1>},
    {"aten::bitwise_xor_.Tensor", nullptr, InCommon<kXor, 0, 1>},
    {"aten::bitwise_left_shift.Tensor_out", AsSpread<0, 1>, Shift<ShiftLeft>},
    {"aten::bitwise_left_shift.Tensor_Scalar_out", AsFirst, Shift<ShiftLeft>},
    {"aten::bitwise_right_shift.Tensor_out", AsSpread<0, 1>, Shift<ShiftRight>},
    {"aten::bitwise_right_shift.Tensor_Scalar_out", AsFirst, Shift<ShiftRight>},
};

}  // namespace

std::span<const Kernel> CompareKernels() {
  return kCompareKernels;
}

}  // namespace pteproof::kernels
