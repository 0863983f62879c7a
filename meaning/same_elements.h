// Operators that take an operand element by element, and stores of a value onto itself.
#ifndef PTEPROOF_MEANING_SAME_ELEMENTS_H_
#define PTEPROOF_MEANING_SAME_ELEMENTS_H_

#include <cstdint>

#include "meaning/effects.h"
#include "meaning/method_flow.h"

namespace pteproof::meaning {

// Whether a result may be written over this operand while it is read: element i of it is read only
// to write element i of the result, both have the same number of elements in the same order.
[[nodiscard]] bool GoesElementByElement(const Method& method, const Read& operand, int32_t result);

// Whether a call may repeat the elements of an elementwise operand: its sizes vary, and another
// operand of the instruction has more than one element.
[[nodiscard]] bool MayBeRepeated(const MethodFlow& flow, int32_t i, const Read& operand);

// Whether two tensors have equal sizes in the same order of dimensions.
[[nodiscard]] bool SameShape(const Method& method, const Tensor& a, const Tensor& b);

// Whether instruction i stores a value onto itself, and some bytes of it.
[[nodiscard]] bool IsSelfCopy(const MethodFlow& flow, int32_t i);

// The same of a value without bytes: then nobody can miss another store.
[[nodiscard]] bool IsSelfCopyOfNothing(const MethodFlow& flow, int32_t i);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_SAME_ELEMENTS_H_
