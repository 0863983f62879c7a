// A program as one JSON object: what `inspect` prints, for other programs.
#ifndef PTEPROOF_CLI_RENDER_PROGRAM_JSON_H_
#define PTEPROOF_CLI_RENDER_PROGRAM_JSON_H_

#include <string>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// One line. `methods` are those of the program to print. The fields are described in
// docs/reference/output.md.
[[nodiscard]] std::string ProgramJson(const std::string& file,
                                      const std::vector<const Method*>& methods);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PROGRAM_JSON_H_
