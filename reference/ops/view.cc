#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> ViewMeanings() {
  return {};
}

}  // namespace pteproof
