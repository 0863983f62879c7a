// Floats taken several at a time. Only for the sources that are compiled for one kind of processor:
// all that they include has internal linkage and uses nothing of the standard library's that is not
// built in, so that the linker never takes what is compiled for one kind for another's.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_LANES_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_LANES_H_

#include <cstddef>
#include <cstdint>

namespace pteproof::kernels {
namespace {

#if defined(__AVX2__) && defined(__FMA__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

inline Floats Load(const void* from) {
  Floats x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
inline void Store(void* to, Floats x) {
  __builtin_memcpy(to, &x, sizeof x);
}
inline float LoadOneFloat(const void* from) {
  float x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
inline Floats All(float x) {
  return x - Floats{};
}

// The first `count` of a vector; the others are 0.
inline Floats LoadSome(const void* from, int64_t count) {
  Floats x = {};
  __builtin_memcpy(&x, from, static_cast<size_t>(count) * sizeof(float));
  return x;
}
inline void StoreSome(void* to, Floats x, int64_t count) {
  __builtin_memcpy(to, &x, static_cast<size_t>(count) * sizeof(float));
}

inline Ints BitsOf(Floats x) {
  Ints bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline Floats FloatsOf(Ints bits) {
  Floats x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// Where a is NaN b.
inline Floats Larger(Floats a, Floats b) {
  return a > b ? a : b;
}
inline Floats Smaller(Floats a, Floats b) {
  return a < b ? a : b;
}
inline Floats Absolute(Floats x) {
  return FloatsOf(BitsOf(x) & 0x7FFFFFFF);
}

inline float SumOf(Floats x) {
  float sum = 0;
  for (int i = 0; i < kLanes; ++i) sum += x[i];
  return sum;
}

}  // namespace
}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_LANES_H_
