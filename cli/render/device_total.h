// What the device banks take before and after a new plan, by loader: a line for each group of
// loaders that agree.
#ifndef PTEPROOF_CLI_RENDER_DEVICE_TOTAL_H_
#define PTEPROOF_CLI_RENDER_DEVICE_TOTAL_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "properties/memory/device_memory.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof {

// The banks on the host, all methods being loaded.
struct DeviceTotal {
  PolicySet policies;  // of the loaders for which it is so
  uint64_t before = 0;
  uint64_t after = 0;
};

// Under the policy, or under each without one.
[[nodiscard]] std::vector<DeviceTotal> DeviceTotals(const Program& before, const Program& after,
                                                    std::optional<Policy> policy);

// "4352 bytes, 768 fewer"; "16832 bytes, 512 fewer, under private; 8480 bytes, as before, under
// share-1-2 and share-all".
[[nodiscard]] std::string DeviceTotalsText(const std::vector<DeviceTotal>& totals);

// By policy: the bytes before and after.
[[nodiscard]] nlohmann::ordered_json DeviceTotalsJson(const std::vector<DeviceTotal>& totals);

// "memory: 158152 to 275824 bytes at the peak, 8480 to 16832 of them banks, by loader"
[[nodiscard]] std::string MemoryLine(const memory::ProgramMemory& memory);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_DEVICE_TOTAL_H_
