#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> IndexMeanings() {
  return {};
}

}  // namespace pteproof
