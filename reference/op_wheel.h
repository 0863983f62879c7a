// The operators and delegates that the runtime in ExecuTorch's wheel registers, known to the table
// or not.
#ifndef PTEPROOF_REFERENCE_OP_WHEEL_H_
#define PTEPROOF_REFERENCE_OP_WHEEL_H_

#include <span>
#include <string>
#include <string_view>

namespace pteproof {

// "1.5.1": the wheel that was asked.
[[nodiscard]] std::string_view ReleaseOfWheel();

// Full names ("aten::add.out"), ascending.
[[nodiscard]] std::span<const std::string_view> OperatorsOfWheel();

// Ids ("XnnpackBackend"), ascending.
[[nodiscard]] std::span<const std::string_view> DelegatesOfWheel();

// When the runtime of some wheel of the release has the operator or the delegate though it is not
// in the lists above, or not usable: "after `import executorch.kernels.quantized`". Empty: never.
[[nodiscard]] std::string ConditionInWheel(std::string_view name);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_WHEEL_H_
