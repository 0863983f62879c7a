#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> UnaryMeanings() {
  return {};
}

}  // namespace pteproof
