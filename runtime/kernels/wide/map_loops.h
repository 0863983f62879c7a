// Exponentials and functions that are made of them, lane by lane. Idea: reduce the argument to a
// small interval, and evaluate a polynomial there; polynomials are fitted for the smallest largest
// relative error, which is below the rounding of float.
//
//   exp(x) = 2^n exp(r),  n = round(x / ln 2),  |r| <= ln 2 / 2
//
// Cost: a fixed number of operations for each element. As lanes.h: for sources of one processor
// only.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_MAP_LOOPS_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_MAP_LOOPS_H_

#include "runtime/kernels/wide/lanes.h"

namespace pteproof::kernels {
namespace {

inline Floats PowerOfTwo(Ints exponent) {
  return FloatsOf((exponent + 127) << 23);
}

// exp(n ln 2 + r) = 2^n exp(r), with |r| <= ln 2 / 2. 2^n in two factors: n may be beyond what a
// float has an exponent for.
inline Floats Exp(Floats x) {
  const Floats bounded = Smaller(Larger(x, All(-104.0F)), All(89.0F));
  // Added and taken away again, it leaves a whole number, which stands in the low bits meanwhile.
  constexpr float kShift = 12582912.0F;  // 1.5 * 2^23
  const Floats shifted = bounded * 1.44269504F + kShift;
  const Floats whole = shifted - kShift;
  const Ints n = BitsOf(shifted) - BitsOf(All(kShift));
  // ln 2 in two parts, the first of which has few digits.
  const Floats r = (bounded - whole * 0.693359375F) - whole * -2.12194440e-4F;
  Floats sum = All(0.0013950489F);
  sum = sum * r + 0.0083688896F;
  sum = sum * r + 0.041666206F;
  sum = sum * r + 0.16666519F;
  sum = sum * r + 0.5F;
  const Floats power = sum * r * r + r + 1.0F;
  const Ints half = n >> 1;
  const Floats result = power * PowerOfTwo(half) * PowerOfTwo(n - half);
  return x == x ? result : x;
}

inline Floats Sigmoid(Floats x) {
  return 1.0F / (1.0F + Exp(-x));
}

// Near 0, where 1 - 2 / (exp(2x) + 1) has few digits left, x + x^3 p(x^2).
inline Floats Tanh(Floats x) {
  const Floats far = 1.0F - 2.0F / (Exp(x + x) + 1.0F);
  const Floats square = x * x;
  Floats sum = All(-0.0044336680F);
  sum = sum * square + 0.019226389F;
  sum = sum * square - 0.053195535F;
  sum = sum * square + 0.13323175F;
  sum = sum * square - 0.33332894F;
  const Floats near = sum * square * x + x;
  return Absolute(x) < 0.625F ? near : far;
}

// erfc(a) = exp(-a^2) t p(t) for a >= 0, with t = 1 / (1 + 0.3 a).
inline Floats ErrorComplement(Floats a) {
  const Floats t = 1.0F / (1.0F + 0.3F * a);
  Floats sum = All(-0.12925273F);
  sum = sum * t + 0.48429953F;
  sum = sum * t - 0.50976818F;
  sum = sum * t + 0.54496253F;
  sum = sum * t - 0.092823245F;
  sum = sum * t + 0.21418033F;
  sum = sum * t + 0.14852151F;
  sum = sum * t + 0.17069090F;
  sum = sum * t + 0.16918936F;
  return Exp(-(a * a)) * t * sum;
}

// x times the share of the normal distribution below x.
inline Floats Gelu(Floats x) {
  const Floats tail = 0.5F * ErrorComplement(Absolute(x) * 0.70710678F);
  return x * (x < 0.0F ? tail : 1.0F - tail);
}

// (1 + tanh(u)) / 2 is the sigmoid of 2u, which keeps its digits where tanh comes near to -1.
inline Floats GeluByTanh(Floats x) {
  const Floats inner = 0.79788456F * (x + 0.044715F * x * x * x);
  return x / (1.0F + Exp(-2.0F * inner));
}

template <Floats (*each)(Floats)>
void Map(const float* from, float* to, int64_t count) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Store(to + i, each(Load(from + i)));
  if (i < count) StoreSome(to + i, each(LoadSome(from + i, count - i)), count - i);
}

float LargestOf(const float* from, int64_t count) {
  Floats largest = All(-__builtin_inff());
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) largest = Larger(Load(from + i), largest);
  float result = -__builtin_inff();
  for (int lane = 0; lane < kLanes; ++lane) {
    if (largest[lane] > result) result = largest[lane];
  }
  for (; i < count; ++i) {
    if (from[i] > result) result = from[i];
  }
  return result;
}

// Sums up float by lane for a while, then double.
double ExpSum(const float* from, float shift, float* to, int64_t count) {
  constexpr int64_t kWhile = 32 * kLanes;
  double total = 0;
  for (int64_t first = 0; first < count; first += kWhile) {
    const int64_t end = first + kWhile < count ? first + kWhile : count;
    Floats sum = {};
    int64_t i = first;
    for (; i + kLanes <= end; i += kLanes) {
      const Floats power = Exp(Load(from + i) - shift);
      Store(to + i, power);
      sum += power;
    }
    total += static_cast<double>(SumOf(sum));
    if (i == end) continue;
    const Floats power = Exp(LoadSome(from + i, end - i) - shift);
    StoreSome(to + i, power, end - i);
    for (int64_t k = i; k < end; ++k) total += static_cast<double>(power[k - i]);
  }
  return total;
}

}  // namespace
}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_MAP_LOOPS_H_
