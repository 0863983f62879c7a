// Kernels called by themselves, on the operands that the reference takes, and compared with it.
#ifndef PTEPROOF_TESTS_SUPPORT_CALLED_KERNEL_H_
#define PTEPROOF_TESTS_SUPPORT_CALLED_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pteproof/result.h"
#include "reference/evaluate.h"

namespace pteproof {

// How tensors lie in memory.
struct TensorMemory {
  size_t offset = 0;    // bytes behind an aligned address
  bool turned = false;  // the first dimension is the innermost one
  bool under = false;   // the result lies where the first operand does
};

// `types` of what the call writes are upper bounds, as a plan has them. A call that fails says why,
// or that it has written something before. `questions`: how often it asked for the stop.
[[nodiscard]] Result<Evaluated, std::string> CallKernel(std::string_view name,
                                                        std::span<const Argument> args,
                                                        std::span<const TensorType> types,
                                                        const TensorMemory& memory = {},
                                                        int64_t* questions = nullptr);

// Whether kernel and reference agree, on the results within the operator's bound, or in that both
// refuse the operands. Empty; or how they differ.
[[nodiscard]] std::string KernelDifference(std::string_view name, std::span<const Argument> args,
                                           const TensorMemory& memory = {});

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_CALLED_KERNEL_H_
