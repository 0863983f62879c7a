#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> OrderMeanings() {
  return {};
}

}  // namespace pteproof
