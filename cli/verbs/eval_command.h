// The verbs `eval` and `run`: a Module or a program in the reference interpreter, or a program as
// it is planned, compared with what was recorded.
#ifndef PTEPROOF_CLI_VERBS_EVAL_COMMAND_H_
#define PTEPROOF_CLI_VERBS_EVAL_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/eval_subject.h"
#include "cli/load/trust.h"
#include "properties/oracles/recorded_calls.h"

namespace pteproof {

struct EvalRequest {
  std::string file;               // a program (.pte, .bpte), or a Module's text (.module)
  std::string calls;              // calls.json; empty: the one beside the file, or random calls
  std::string inputs = {};        // a file with the calls' inputs, whose outputs count for nothing
  std::vector<std::string> data;  // weights outside the program (.ptd), besides the recording's
  ManifestChoice manifest = {};
  std::optional<Policy> policy;              // none: as the calls were recorded
  std::optional<bool> all_first;             // likewise, for `run`
  uint64_t seed = 0;                         // of random calls
  std::string compare = "truth";             // or executorch, eager
  std::optional<Tolerance> tolerance = {};   // none: as recorded, else by the operators
  std::string semantics = {};                // real or hash; empty: as recorded
  bool quiet = false;                        // no rows for calls that agree
  bool json = false;                         // rows and summary as JSON, one object a line
  std::optional<EngineOptions> engine = {};  // `run`: as planned; none: the reference
};

// Makes every recorded call, prints a row each and a summary. A difference is told by the first
// element that differs; if PyTorch's and ExecuTorch's recorded outputs differ, the row says which
// of them the result equals. After a call that fails, the rest of its sequence is not made if there
// is state. kSafe: all calls were made, and those that are compared agree; kUnsafe: one differs, or
// cannot be made with its recorded inputs, or with any (a tensor has no memory); kUndecided: none
// does, but a call was not made for a reason that need not be the program's (an unknown operator,
// made-up inputs that it refuses, a limit of time or memory, a call before it that failed), or
// there was none to make; kUnreadable, kMalformed, kUsage as elsewhere. Under `hash` nothing can be
// compared with a recording: each row has digests of outputs, changed inputs and state.
[[nodiscard]] ExitCode RunEval(const EvalRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_EVAL_COMMAND_H_
