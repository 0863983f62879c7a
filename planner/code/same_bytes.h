// Operators that give the bytes of their operand unchanged: other sizes at most.
#ifndef PTEPROOF_PLANNER_CODE_SAME_BYTES_H_
#define PTEPROOF_PLANNER_CODE_SAME_BYTES_H_

#include <optional>

#include "planner/code/code.h"

namespace pteproof::planner {

// The operand whose bytes a call's result has, element for element in row-major order; nothing for
// any other operator. A loop's carried value has no lasting bytes, so nothing has its bytes.
[[nodiscard]] std::optional<ValueId> BytesKept(const Code& code, const Step& step);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_SAME_BYTES_H_
