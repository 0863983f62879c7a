// The sizes of a call's results, by the type rule of its operator.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_RESULT_SIZES_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_RESULT_SIZES_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/terms/forms.h"
#include "reference/op_schema.h"

namespace pteproof::compare {

struct ResultSizes {
  std::optional<std::vector<Sizes>> sizes = {};  // none: no rule tells them
  std::optional<std::string> refused = {};       // why no runtime makes the call
  bool by_data = false;                          // upper bounds: the true sizes depend on data
};

// Operands are the schema's arguments without outs.
[[nodiscard]] ResultSizes SizesOfResults(const OpSchema& schema,
                                         std::span<const SymbolicArgument> operands);

// Whether the sizes of an operand vary.
[[nodiscard]] bool AnyVaries(std::span<const SymbolicArgument> operands);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_RESULT_SIZES_H_
