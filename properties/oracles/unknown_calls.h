// The calls of a method that no run can make, told from the file alone.
#ifndef PTEPROOF_PROPERTIES_ORACLES_UNKNOWN_CALLS_H_
#define PTEPROOF_PROPERTIES_ORACLES_UNKNOWN_CALLS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof {

struct UnknownCall {
  int32_t instruction = 0;
  std::string_view name;  // of the operator or the delegate, in the method
  bool is_delegate = false;
};

// The first delegate, or operator without a meaning in the reference, that every call of the method
// reaches under `real` semantics. A method with jumps need not reach any.
[[nodiscard]] std::optional<UnknownCall> UnknownInReference(const Method& method);

// Likewise without a kernel: a method that lists one cannot be loaded.
[[nodiscard]] std::optional<UnknownCall> UnknownInRuntime(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_UNKNOWN_CALLS_H_
