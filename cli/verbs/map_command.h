// The verb `map`: the picture of a memory plan.
#ifndef PTEPROOF_CLI_VERBS_MAP_COMMAND_H_
#define PTEPROOF_CLI_VERBS_MAP_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "pteproof/finding.h"

namespace pteproof {

struct MapRequest {
  std::string file;               // a program (.pte, .bpte), or - for standard input
  std::string output;             // where the picture goes; empty or -: to standard output
  std::optional<Policy> policy;   // none: the manifest's, or none
  std::optional<bool> all_first;  // none: the manifest's
  ManifestChoice manifest = {};
  std::vector<std::string> data;  // weights outside the program (.ptd)
  std::string method;             // only this one; empty: all
  std::optional<uint32_t> bank;   // only this one; nothing: all
  std::optional<int32_t> around;  // only the time around this instruction; nothing: all
  bool text = false;              // for a terminal, instead of SVG
  std::string html;               // where a page goes, instead of SVG; empty: nowhere
};

// Draws the plan, with the findings that `check` has: kSafe whatever they are. A file without a
// program is explained on standard output as `check` does; an unknown method, bank or instruction
// is a usage error. kUndecided: the control flow of some method is beyond the check's limit on
// work, so that the picture lacks its storages.
[[nodiscard]] ExitCode RunMap(const MapRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_MAP_COMMAND_H_
