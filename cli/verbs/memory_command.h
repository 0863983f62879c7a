// The verb `memory`: what a device allocates to load a program and to call it, by loader.
#ifndef PTEPROOF_CLI_VERBS_MEMORY_COMMAND_H_
#define PTEPROOF_CLI_VERBS_MEMORY_COMMAND_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "properties/memory/device_memory.h"
#include "pteproof/finding.h"

namespace pteproof {

struct MemoryRequest {
  std::vector<std::string> files;     // programs, folders
  std::optional<Policy> policy = {};  // none: that of a manifest that is trusted, else all three
  std::string loader;                 // that it was chosen by, as `--loader` spells it; or empty
  std::string loader_file;            // over the policy; or empty
  std::optional<memory::FileAccess> access = {};  // over the loader's own
  ManifestChoice manifest = {};
  std::vector<std::string> data = {};     // weights outside of the programs (.ptd)
  std::vector<std::string> methods = {};  // only these are loaded; empty: all
  std::vector<std::string> at = {};       // sizes of inputs, as INPUT=1,2,3
  size_t top = 0;  // lines of what is in use at the peak of each bank; 0: none
  bool json = false;
};

// One report for each file. kSafe: all were told; kMalformed, kUsage, kUnreadable as elsewhere, for
// files that are told on standard error.
[[nodiscard]] ExitCode RunMemory(const MemoryRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_MEMORY_COMMAND_H_
