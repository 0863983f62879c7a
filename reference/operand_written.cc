#include "reference/operand_written.h"

namespace pteproof {

std::optional<size_t> OperandWritten(const OpSchema& schema, size_t result) {
  size_t operand = 0;
  for (const ArgSchema& arg : schema.args) {
    const bool writes = arg.access != Access::kRead && (arg.access != Access::kNone || arg.out);
    if (writes && result-- == 0) return arg.out ? std::nullopt : std::optional(operand);
    operand += arg.out ? 0 : 1;
  }
  return std::nullopt;
}

}  // namespace pteproof
