#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> PoolMeanings() {
  return {};
}

}  // namespace pteproof
