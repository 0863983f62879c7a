// Copies that turn rows into columns.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_TURNED_COPY_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_TURNED_COPY_H_

#include "runtime/kernels/base/region.h"

namespace pteproof::kernels {

// Copies one region that has elements to another. False: nothing is done, since they are not of one
// type and of equal sizes, have bytes in common, or go along the same dimension anyway.
[[nodiscard]] bool CopyTurned(const Region& from, const Region& to);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_TURNED_COPY_H_
