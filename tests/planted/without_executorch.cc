// Stands in for executorch_way.cc where there is no wheel of ExecuTorch's runtime.
#include "tests/planted/score.h"

namespace pteproof {

bool HasExecutorch() {
  return false;
}

std::optional<uint64_t> CasesInExecutorch(const DefectRow&, uint64_t) {
  return std::nullopt;
}

}  // namespace pteproof
