// Short ways to write the rows of a family's table.
#ifndef PTEPROOF_REFERENCE_OPS_ROWS_H_
#define PTEPROOF_REFERENCE_OPS_ROWS_H_

#include <string_view>

#include "reference/op_meaning.h"

namespace pteproof {

// Bit for bit.
[[nodiscard]] constexpr OpMeaning Exact(std::string_view name, TypeRule types, Meaning run) {
  return {.name = name, .types = types, .run = run};
}

// Within the element type's bound, for that reason.
[[nodiscard]] constexpr OpMeaning RoundedFor(std::string_view reason, std::string_view name,
                                             TypeRule types, Meaning run) {
  return {
      .name = name, .types = types, .run = run, .closeness = Closeness::kRounded, .reason = reason};
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_ROWS_H_
