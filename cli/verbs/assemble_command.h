// The verb `assemble`: a program's text to a `.pte` file.
#ifndef PTEPROOF_CLI_VERBS_ASSEMBLE_COMMAND_H_
#define PTEPROOF_CLI_VERBS_ASSEMBLE_COMMAND_H_

#include <string>

#include "cli/io/exit_code.h"

namespace pteproof {

struct AssembleRequest {
  std::string file;    // a program's text, or - for standard input
  std::string output;  // the program (.pte)
};

// Writes the program. kMalformed: the text is not a program, and standard error says why, a line
// for each error (FILE:LINE:COLUMN: rule: why); kUnreadable: a file cannot be read or written.
[[nodiscard]] ExitCode RunAssemble(const AssembleRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_ASSEMBLE_COMMAND_H_
