// What kernels ask the temporary allocator for, which the runtime empties after each instruction:
// those of ExecuTorch's wheel, measured by calling each with an allocator that counts
// (tests/executorch/temporary_test.cc).
#ifndef PTEPROOF_PROPERTIES_MEMORY_TEMPORARY_MEMORY_H_
#define PTEPROOF_PROPERTIES_MEMORY_TEMPORARY_MEMORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::memory {

// Whether the wheel's kernel of that operator was called: its namespace is one of those whose
// kernels need nothing but the runtime.
[[nodiscard]] bool IsMeasured(std::string_view op);

// Of one kernel call, at the bounds of sizes that vary; nothing: not known.
[[nodiscard]] std::optional<uint64_t> TemporaryBytesOf(const Method& method,
                                                       const Instruction& call);

struct TemporaryUse {
  uint64_t bytes = 0;                     // of the instruction that asks for most
  std::vector<std::string> unknown = {};  // operators of which it is not known, each once
};

// O(instructions).
[[nodiscard]] TemporaryUse TemporaryUseOf(const Method& method);

}  // namespace pteproof::memory

#endif  // PTEPROOF_PROPERTIES_MEMORY_TEMPORARY_MEMORY_H_
