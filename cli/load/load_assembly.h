// From a program's text (.pteasm) to the program.
#ifndef PTEPROOF_CLI_LOAD_LOAD_ASSEMBLY_H_
#define PTEPROOF_CLI_LOAD_LOAD_ASSEMBLY_H_

#include <string>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/pteasm/assemble.h"

namespace pteproof {

// Whether the file of that name holds a program's text: by its ending, on standard input by its
// first word.
[[nodiscard]] bool IsAssembly(const std::string& path, Bytes bytes);

// Files that the text refers to lie in the folder of `path`, or below it. Throws std::bad_alloc.
[[nodiscard]] Result<pteasm::Assembled, std::vector<pteasm::TextError>> AssembleFile(
    const std::string& path, Bytes bytes);

// The errors as findings, whose explanations begin with line and column.
[[nodiscard]] std::vector<Finding> FindingsOf(const std::vector<pteasm::TextError>& errors);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_ASSEMBLY_H_
