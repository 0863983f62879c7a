// The verb `fmt`: the canonical text of a Module.
#ifndef PTEPROOF_CLI_VERBS_FMT_COMMAND_H_
#define PTEPROOF_CLI_VERBS_FMT_COMMAND_H_

#include <string>

#include "cli/io/exit_code.h"

namespace pteproof {

struct FmtRequest {
  std::string file;    // a Module's text, or - for standard input
  bool check = false;  // print nothing, but say whether the file is canonical
  bool write = false;  // rewrite the file
};

// Prints the canonical text. kUnsafe: with `check`, the file is not canonical; kMalformed: it holds
// no Module (FILE:LINE:COLUMN: why, on standard error); kUnreadable: it cannot be read or written.
[[nodiscard]] ExitCode RunFmt(const FmtRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_FMT_COMMAND_H_
