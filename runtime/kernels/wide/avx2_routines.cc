// For processors with AVX2 and FMA: compiled for those where the compiler can.
#include "runtime/kernels/wide/table.h"

namespace pteproof::kernels {

const Routines* Avx2Routines() {
#if defined(__AVX2__) && defined(__FMA__)
  const bool there = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return there ? &kRoutines : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace pteproof::kernels
