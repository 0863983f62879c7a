#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> ConvolutionMeanings() {
  return {};
}

}  // namespace pteproof
