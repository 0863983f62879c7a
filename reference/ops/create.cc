#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> CreateMeanings() {
  return {};
}

}  // namespace pteproof
