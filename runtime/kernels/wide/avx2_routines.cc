// For processors with AVX2 and FMA: compiled for those where the compiler can.
#include "runtime/kernels/wide/table.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <cpuid.h>
#endif

namespace pteproof::kernels {

#if defined(__AVX2__) && defined(__FMA__)
namespace {

// By the processor's own word, as not every compiler's library has __builtin_cpu_supports.
// Source: Intel's manual, volume 1, 14.3 and 14.7: AVX2 and FMA are there, and the system keeps
// their registers.
bool IsThere() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned kNeeded = bit_FMA | bit_OSXSAVE | bit_AVX;
  if ((c & kNeeded) != kNeeded) return false;
  unsigned kept = 0;
  unsigned high = 0;
  asm("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
  constexpr unsigned kXmmAndYmm = 6;
  if ((kept & kXmmAndYmm) != kXmmAndYmm) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}

}  // namespace

const Routines* Avx2Routines() {
  static const bool is_there = IsThere();
  return is_there ? &kRoutines : nullptr;
}
#else
const Routines* Avx2Routines() {
  return nullptr;
}
#endif

}  // namespace pteproof::kernels
