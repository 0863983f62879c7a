// The verb `compare`: do two programs compute the same, and what else has changed between them?
#ifndef PTEPROOF_CLI_VERBS_COMPARE_COMMAND_H_
#define PTEPROOF_CLI_VERBS_COMPARE_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/load/trust.h"
#include "pteproof/finding.h"

namespace pteproof {

struct CompareRequest {
  std::string old_file;                   // a program (.pte, .bpte); one of both may be a Module
  std::string new_file;                   // likewise
  std::vector<std::string> data;          // weights outside of both (.ptd)
  std::optional<Policy> policy;           // none: all three
  ManifestChoice manifest = {};           // of both
  std::string method;                     // empty: all
  std::vector<std::string> renames = {};  // METHOD=NEW: other names for methods of the old one
  std::vector<std::string> fail_on = {"interface", "computation", "findings"};
  std::string max_growth;  // of memory and size: "5%", or bytes; empty: none
  uint64_t seed = 0;
  std::optional<int> calls;  // random ones, of a method that is not proved; none: up to 100, as
                             // their cost is worth
  bool meant = false;        // the old program: as it is meant, not as it is planned
  bool json = false;
  std::string
      html;  // where a page with both plans goes too; empty: nowhere, -: instead of the text
  bool markdown = false;  // instead of the text
};

// kSafe: nothing that is to fail does; kUnsafe: something does; kUndecided: nothing does, but the
// computation is to fail and cannot be compared; kUsage: `max_growth` is no size, a method
// does not exist, a Module is to be read as it is meant or drawn; kMalformed, kUnreadable as
// elsewhere.
[[nodiscard]] ExitCode RunCompare(const CompareRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_COMPARE_COMMAND_H_
