#include "runtime/kernels/wide/routines.h"

#include <cstdlib>

namespace pteproof::kernels {

const Routines& BestRoutines() {
  static const Routines& kBest = [&]() -> const Routines& {
    const Routines* avx2 = Avx2Routines();
    const bool plain = std::getenv("PTEPROOF_PLAIN") != nullptr;
    return avx2 == nullptr || plain ? PlainRoutines() : *avx2;
  }();
  return kBest;
}

}  // namespace pteproof::kernels
