#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> BinaryMeanings() {
  return {};
}

}  // namespace pteproof
