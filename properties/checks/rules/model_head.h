// Whether values of two methods are one parameter or buffer of a model, by the exporter's numbers.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_

#include <cstdint>

#include "properties/checks/flow/method_check.h"

namespace pteproof::checks {

// Of more constants at the beginning than this it is not asked whether another method lacks them.
inline constexpr int32_t kMostLeftOut = 64;

// How many values are alike, one by one, in two heads of one model, of which b begins with `shift`
// constants that a does not have (a with -shift that b does not have). 0: the methods are not of
// one model, as far as this shift tells. O(head).
[[nodiscard]] int32_t AlikeBehind(const MethodCheck& a, const MethodCheck& b, int32_t shift);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_MODEL_HEAD_H_
