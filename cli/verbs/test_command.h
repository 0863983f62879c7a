// The verb `test`: the property campaign, on random Modules that pteproof plans and runs itself.
#ifndef PTEPROOF_CLI_VERBS_TEST_COMMAND_H_
#define PTEPROOF_CLI_VERBS_TEST_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cli/io/exit_code.h"

namespace pteproof {

struct TestRequest {
  uint64_t seed = 0;
  uint64_t cases = 0;             // 0: as many as the time allows
  std::optional<double> seconds;  // none: as long as the cases take; neither: 10 s
  std::string keep;    // folder for a failing case, tried first if there is one; empty: none
  std::string replay;  // folder of a case that failed: only that is tried
  bool statistics = false;
  bool json = false;  // a line of JSON for the campaign and for a case tried again
};

// Prints how many cases and calls agreed, and how fast. A failing case is shrunk and printed: its
// Module, the finding, and the command that makes it again. kSafe: none failed; kUnsafe: one did,
// or the cases are no longer those that they should be; kUnreadable: the folder cannot be written.
[[nodiscard]] ExitCode RunTest(const TestRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_TEST_COMMAND_H_
