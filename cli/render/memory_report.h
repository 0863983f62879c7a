// What a device allocates, as `memory` tells it (docs/reference/memory.md).
#ifndef PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_
#define PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_

#include <string>

#include "properties/memory/device_memory.h"

namespace pteproof {

struct MemoryReport {
  std::string file;
  memory::ProgramMemory memory;
};

// One column for each loader, then one line for each method, then the sections of the file.
[[nodiscard]] std::string DeviceMemoryText(const MemoryReport& report);

// One line.
[[nodiscard]] std::string DeviceMemoryJson(const MemoryReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_
