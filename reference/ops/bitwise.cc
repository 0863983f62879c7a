// Bits of integers and bool, element by element.
#include "reference/ops/elementwise.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr TypeRule kIntegers = ElementwiseTypes<Admit::kInteger, Itself, 0, 1>;

struct BitwiseAnd {
  int64_t operator()(int64_t a, int64_t b) const { return a & b; }
};
struct BitwiseOr {
  int64_t operator()(int64_t a, int64_t b) const { return a | b; }
};
struct BitwiseXor {
  int64_t operator()(int64_t a, int64_t b) const { return a ^ b; }
};

// Counts that are negative or not below the width shift everything out: zeros come in, and on the
// right the sign.
struct ShiftLeft {
  int64_t width;

  int64_t operator()(int64_t a, int64_t count) const {
    if (count < 0 || count >= width) return 0;
    return static_cast<int64_t>(static_cast<uint64_t>(a) << count);
  }
};
struct ShiftRight {
  int64_t width;

  int64_t operator()(int64_t a, int64_t count) const {
    if (count < 0 || count >= width) return a < 0 ? -1 : 0;
    return a >> count;
  }
};

template <class Shift>
std::string RunShift(const Call& call, std::span<TensorValue> results) {
  const ScalarType common = CommonType(call, {0, 1});
  const Shift shift = {8 * int64_t{ElementSize(common)}};
  return Combine<0, 1>(call, common, common, results[0], shift);
}

constexpr OpMeaning kBitwiseMeanings[] = {
    Exact("aten::bitwise_and.Tensor_out", kIntegers, InCommon<BitwiseAnd, 0, 1>),
    Exact("aten::bitwise_and.Scalar_out", kIntegers, InCommon<BitwiseAnd, 0, 1>),
    Exact("aten::bitwise_or.Tensor_out", kIntegers, InCommon<BitwiseOr, 0, 1>),
    Exact("aten::bitwise_or.Scalar_out", kIntegers, InCommon<BitwiseOr, 0, 1>),
    Exact("aten::bitwise_xor.Tensor_out", kIntegers, InCommon<BitwiseXor, 0, 1>),
    Exact("aten::bitwise_xor.Scalar_out", kIntegers, InCommon<BitwiseXor, 0, 1>),
    Exact("aten::bitwise_left_shift.Tensor_out", kIntegers, RunShift<ShiftLeft>),
    Exact("aten::bitwise_left_shift.Tensor_Scalar_out", kIntegers, RunShift<ShiftLeft>),
    Exact("aten::bitwise_right_shift.Tensor_out", kIntegers, RunShift<ShiftRight>),
    Exact("aten::bitwise_right_shift.Tensor_Scalar_out", kIntegers, RunShift<ShiftRight>),
};

}  // namespace

std::span<const OpMeaning> BitwiseMeanings() {
  return kBitwiseMeanings;
}

}  // namespace pteproof
