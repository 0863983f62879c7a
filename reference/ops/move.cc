#include "reference/op_meaning.h"

namespace pteproof {

std::span<const OpMeaning> MoveMeanings() {
  return {};
}

}  // namespace pteproof
