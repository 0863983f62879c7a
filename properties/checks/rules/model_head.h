// Whether values of two methods are one parameter or buffer of a model, by the exporter's numbers.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_

#include <cstdint>

#include "properties/checks/flow/method_check.h"

namespace pteproof::checks {

// A value of a method.
struct ValueAt {
  const MethodCheck* check = nullptr;
  int32_t value = 0;
};

// Whether both stand at one place of one head, as far as the two methods tell. O(head).
[[nodiscard]] bool StandAlike(ValueAt a, ValueAt b);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_
