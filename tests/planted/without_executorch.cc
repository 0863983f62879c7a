// Stands in for executorch_checker.cc where there is no wheel of ExecuTorch's runtime.
#include "tests/planted/score.h"

namespace pteproof {

bool HasExecutorch() {
  return false;
}

std::optional<uint64_t> CasesInExecutorch(const DefectRow&, uint64_t) {
  return std::nullopt;
}

}  // namespace pteproof
