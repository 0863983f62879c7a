#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> ProductMeanings() {
  return {};
}

}  // namespace pteproof
