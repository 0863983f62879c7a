// What the runtime's operators on tensors refuse: views, rows of a loop, copies in a dim order,
// sizes and elements as numbers.
#ifndef PTEPROOF_PROPERTIES_RULES_REFUSED_SHAPES_H_
#define PTEPROOF_PROPERTIES_RULES_REFUSED_SHAPES_H_

#include <cstdint>
#include <optional>
#include <span>

#include "properties/rules/held_numbers.h"
#include "properties/rules/refusal.h"
#include "properties/rules/resized.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// One call, with what values hold before it.
struct RuntimeCall {
  const Method& method;
  const Resized& resized;
  const HeldNumbers& held;
  const Operator& op;  // of the table
  std::span<const int32_t> args;
};

// Nothing: the kernel may take the call with some of the sizes and numbers that the file admits, or
// the operator is not one of these. The kernel's questions are asked in its order.
[[nodiscard]] std::optional<Refusal> RefusalByShapes(const RuntimeCall& call);

// Whether RefusalByShapes knows the operator of that name.
[[nodiscard]] bool IsJudgedByShapes(const Operator& op);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_REFUSED_SHAPES_H_
