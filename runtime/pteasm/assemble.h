// From the text of a program to the bytes of a `.pte` file, or every reason why not.
#ifndef PTEPROOF_RUNTIME_PTEASM_ASSEMBLE_H_
#define PTEPROOF_RUNTIME_PTEASM_ASSEMBLE_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "runtime/pteasm/parse.h"

namespace pteproof::pteasm {

struct Assembled {
  std::vector<std::byte> file;  // equal texts give equal bytes
  ProgramText text;             // the same program, with places in the text
};

// The rules that a file must keep are those of ReadProgram: the text is written as a file, the file
// is read, and what is wrong there is told with its line and column. Errors are in the order in
// which they are found. No error: memory ran out, and nothing is said of the text. Memory is at
// most 256 times the text, apart from stored bytes, which are held up to three times.
[[nodiscard]] Result<Assembled, std::vector<TextError>> Assemble(std::string_view text,
                                                                 const text::DataOf& data_of);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_ASSEMBLE_H_
