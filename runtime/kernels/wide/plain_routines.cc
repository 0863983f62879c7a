// For any processor: compiled as everything else.
#include "runtime/kernels/wide/table.h"

namespace pteproof::kernels {

const Routines& PlainRoutines() {
  return kRoutines;
}

}  // namespace pteproof::kernels
