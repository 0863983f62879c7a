#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> PrimMeanings() {
  return {};
}

}  // namespace pteproof
