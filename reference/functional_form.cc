#include "reference/functional_form.h"

#include <algorithm>

#include "reference/op_meaning.h"
#include "reference/op_schema.h"

namespace pteproof {

FunctionalForm FunctionalFormOf(const OpSchema& mutating) {
  if (mutating.name == "aten::zero_") return {FindOperator("aten::fill.Scalar_out"), true};
  const auto forms = InPlaceForms();
  const auto form = std::ranges::find(forms, mutating.name, &InPlaceForm::name);
  return {form == forms.end() ? nullptr : FindOperator(form->functional), false};
}

}  // namespace pteproof
