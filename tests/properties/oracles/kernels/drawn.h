// Random operands for kernels, and calls of them in several memory layouts.
#ifndef PTEPROOF_TESTS_PROPERTIES_ORACLES_KERNELS_DRAWN_H_
#define PTEPROOF_TESTS_PROPERTIES_ORACLES_KERNELS_DRAWN_H_

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/reference/ops/call_op.h"
#include "tests/support/called_kernel.h"

namespace pteproof {

using Operands = std::vector<Operand>;

inline const std::vector<ScalarType> kFloats = {ScalarType::kFloat32, ScalarType::kFloat64,
                                                ScalarType::kFloat16, ScalarType::kBFloat16};
inline const std::vector<ScalarType> kNumbers = {
    ScalarType::kFloat32,  ScalarType::kFloat64, ScalarType::kFloat16,
    ScalarType::kBFloat16, ScalarType::kInt64,   ScalarType::kInt32,
    ScalarType::kInt16,    ScalarType::kInt8,    ScalarType::kUInt8};
inline const std::vector<ScalarType> kElements = {
    ScalarType::kFloat32, ScalarType::kFloat64, ScalarType::kFloat16, ScalarType::kBFloat16,
    ScalarType::kInt64,   ScalarType::kInt32,   ScalarType::kInt16,   ScalarType::kInt8,
    ScalarType::kUInt8,   ScalarType::kBool};
inline const std::vector<ScalarType> kComplexes = {ScalarType::kComplex64, ScalarType::kComplex128};

class Draw {
 public:
  // From least to greatest, each a quarter apart: sums of products are exact in most types.
  TensorValue Numbers(ScalarType dtype, Sizes sizes, int64_t least = -5, int64_t greatest = 5) {
    TensorValue t = Zeros(dtype, std::move(sizes));
    for (int64_t i = 0; i < ElementCount(t); ++i) {
      if (IsComplex(dtype)) {
        SetComplex(t, i, {Quarter(least, greatest), Quarter(least, greatest)});
      } else if (IsFloat(dtype)) {
        SetReal(t, i, Quarter(least, greatest));
      } else {
        SetInt(t, i, Number(dtype == ScalarType::kUInt8 ? 0 : least, greatest));
      }
    }
    return t;
  }
  TensorValue Ints(ScalarType dtype, Sizes sizes, int64_t least, int64_t greatest) {
    TensorValue t = Zeros(dtype, std::move(sizes));
    for (int64_t i = 0; i < ElementCount(t); ++i) SetInt(t, i, Number(least, greatest));
    return t;
  }
  // With NaN and infinities among the elements.
  TensorValue Special(ScalarType dtype, Sizes sizes) {
    TensorValue t = Numbers(dtype, std::move(sizes));
    const double specials[] = {kNan, kInf, -kInf, -0.0, 1e30};
    for (int64_t i = 0; i < ElementCount(t) && IsFloat(dtype); ++i) {
      if (Number(0, 4) == 0) SetReal(t, i, specials[Number(0, 4)]);
    }
    return t;
  }
  int64_t Number(int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(random_);
  }

 private:
  double Quarter(int64_t least, int64_t greatest) {
    return static_cast<double>(Number(4 * least, 4 * greatest)) / 4;
  }

  std::mt19937_64 random_{7};
};

// One operator: its calls for an element type, those that must be refused among them.
struct KernelCase {
  std::string_view op;
  std::vector<ScalarType> types;
  std::function<std::vector<Operands>(Draw&, ScalarType)> calls;
  bool any_order = true;  // of dimensions in memory
};

inline void PrintTo(const KernelCase& one, std::ostream* os) {
  *os << one.op;
}

inline std::string KernelCaseName(const testing::TestParamInfo<KernelCase>& info) {
  std::string name(info.param.op);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// In all layouts.
inline void ExpectAgreement(const KernelCase& one) {
  Draw draw;
  for (const ScalarType dtype : one.types) {
    const std::vector<Operands> calls = one.calls(draw, dtype);
    for (size_t i = 0; i < calls.size(); ++i) {
      const std::vector<Argument> args = ArgsOf<Argument>(calls[i]);
      for (const TensorMemory& memory :
           {TensorMemory{}, TensorMemory{1, false}, TensorMemory{0, true}, TensorMemory{3, true}}) {
        if (memory.turned && !one.any_order) continue;
        EXPECT_EQ(KernelDifference(one.op, args, memory), "")
            << Name(dtype) << ", call " << i << (memory.turned ? ", turned" : "") << ", offset "
            << memory.offset;
      }
    }
  }
}

// Whether the reference takes the operands: a case that it refuses by mistake shows nothing.
inline int CountAccepted(const KernelCase& one) {
  Draw draw;
  int accepted = 0;
  for (const ScalarType dtype : one.types) {
    for (const Operands& operands : one.calls(draw, dtype)) {
      accepted += CallOp(one.op, operands).ok() ? 1 : 0;
    }
  }
  return accepted;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PROPERTIES_ORACLES_KERNELS_DRAWN_H_
