// Names that a move or a returned result made one tensor.
#ifndef PTEPROOF_PROPERTIES_RULES_SHARED_TENSORS_H_
#define PTEPROOF_PROPERTIES_RULES_SHARED_TENSORS_H_

#include <cstdint>
#include <optional>

#include "properties/vocabulary.h"

namespace pteproof::checks {

struct PlacedTensor {
  int32_t instruction = 0;
  int32_t value = 0;
};

// The first et_view or free of a value that is one tensor with another one, where that one is used
// later: it lies there too from then on. O(instructions and their arguments, names live at the ends
// of blocks).
[[nodiscard]] std::optional<PlacedTensor> PlacedWhileShared(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_SHARED_TENSORS_H_
