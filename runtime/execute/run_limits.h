// How much a run may take. A program's bytes choose sizes of banks and numbers of rounds, so that a
// small file could ask for any memory and any time.
#ifndef PTEPROOF_RUNTIME_EXECUTE_RUN_LIMITS_H_
#define PTEPROOF_RUNTIME_EXECUTE_RUN_LIMITS_H_

#include <cstdint>
#include <memory>

#include "base/work.h"
#include "pteproof/program.h"
#include "runtime/read_data.h"

namespace pteproof {

struct RunLimits {
  uint64_t memory = 0;  // bytes of banks, copies of constants and outputs; as many for kernels
  int64_t work = 0;     // elements that the kernels of one call read or write

  // For many calls together.
  [[nodiscard]] RunLimits ForMany() const { return {memory, CappedProduct({work, 16})}; }
  [[nodiscard]] std::shared_ptr<MemoryCount> MakeMemoryCount() const {
    return std::make_shared<MemoryCount>(static_cast<int64_t>(memory));
  }
};

// So much for any program, and more in proportion to the bytes that it, and its data file, bring.
inline constexpr uint64_t kLeastMemory = kMostMemory;
inline constexpr uint64_t kMemoryForByte = 16;
inline constexpr int64_t kLeastWork = kMostWork;
inline constexpr int64_t kWorkForByte = 512;

// `asked` where it is not 0, else those.
[[nodiscard]] RunLimits LimitsOf(const Program& program, const DataFile* data,
                                 const RunLimits& asked);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_RUN_LIMITS_H_
