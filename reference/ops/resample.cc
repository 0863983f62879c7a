#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> ResampleMeanings() {
  return {};
}

}  // namespace pteproof
