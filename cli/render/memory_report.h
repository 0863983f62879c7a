// What a device allocates, as `memory` tells it (docs/reference/memory.md).
#ifndef PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_
#define PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/load/input_sizes.h"
#include "cli/render/peak_tree.h"
#include "properties/memory/at_sizes.h"
#include "properties/memory/device_memory.h"

namespace pteproof {

// A method with inputs whose sizes vary.
struct MethodBounds {
  std::string method;
  std::vector<BoundedInput> inputs;
  std::vector<Sizes> asked;     // of all its inputs; empty: none are asked for
  memory::MethodAtSizes there;  // at these
};

struct MemoryReport {
  std::string file;
  memory::ProgramMemory memory;
  std::vector<MethodBounds> bounds = {};
  std::vector<BankPeak> peaks = {};  // empty: not asked for
  std::vector<MethodConstants> constants = {};
};

// The counts of a loader in the order of the rows: the JSON's key, and the words of the text.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> MemoryCountWords();

// One column for each loader, then one line for each method, then the sections of the file.
[[nodiscard]] std::string DeviceMemoryText(const MemoryReport& report);

// One line.
[[nodiscard]] std::string DeviceMemoryJson(const MemoryReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_MEMORY_REPORT_H_
