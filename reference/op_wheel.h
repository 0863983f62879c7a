// The operators that the runtime in ExecuTorch's wheel has, known to the table or not.
#ifndef PTEPROOF_REFERENCE_OP_WHEEL_H_
#define PTEPROOF_REFERENCE_OP_WHEEL_H_

#include <span>
#include <string_view>

namespace pteproof {

// Full names ("aten::add.out"), ascending. Of release 1.5.1.
[[nodiscard]] std::span<const std::string_view> OperatorsOfWheel();

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_WHEEL_H_
