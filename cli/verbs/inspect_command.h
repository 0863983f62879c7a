// The verb `inspect`: a program as readable text.
#ifndef PTEPROOF_CLI_VERBS_INSPECT_COMMAND_H_
#define PTEPROOF_CLI_VERBS_INSPECT_COMMAND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"

namespace pteproof {

enum class InspectForm : uint8_t {
  kText,    // tables, for people
  kJson,    // one object
  kPteasm,  // as `assemble` reads it
};

struct InspectRequest {
  std::string file;               // a program (.pte, .bpte, .pteasm), or - for standard input
  std::string method;             // only this one; empty: all
  std::vector<std::string> data;  // weights outside the program (.ptd), which must fit it
  bool lifetimes = false;         // the lifetimes of its storages, as `place` reads them
  bool meaning = false;           // what the file means, as the check and the proof recover it
  uint32_t bank = 0;              // of these, only in this memory id; 0: all
  InspectForm form = InspectForm::kText;
};

// Prints the program as text, its lifetimes, or its meaning. A file without a program is explained
// on standard output as `check` does; an unknown method is a usage error. kUndecided: the control
// flow is beyond the check's limit on work, so that there are no lifetimes.
[[nodiscard]] ExitCode RunInspect(const InspectRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_INSPECT_COMMAND_H_
