// The functional operator that computes what a mutating one writes.
#ifndef PTEPROOF_REFERENCE_FUNCTIONAL_FORM_H_
#define PTEPROOF_REFERENCE_FUNCTIONAL_FORM_H_

#include "reference/op_schema.h"

namespace pteproof {

struct FunctionalForm {
  const OpSchema* schema = nullptr;  // null: there is none
  bool adds_zero = false;  // takes a 0 after the mutating operator's operands: zero_ fills
};

// It takes the same operands, and a 0 after them where the form says so.
[[nodiscard]] FunctionalForm FunctionalFormOf(const OpSchema& mutating);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_FUNCTIONAL_FORM_H_
