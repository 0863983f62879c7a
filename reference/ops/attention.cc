#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> AttentionMeanings() {
  return {};
}

}  // namespace pteproof
