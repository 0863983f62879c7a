// The text form of programs, written. The grammar and its meaning are in docs/reference/pteasm.md.
#ifndef PTEPROOF_RUNTIME_PTEASM_PRINT_H_
#define PTEPROOF_RUNTIME_PTEASM_PRINT_H_

#include <functional>
#include <optional>
#include <string>

#include "pteproof/program.h"
#include "reference/text/data_ref.h"

namespace pteproof::pteasm {

// Where bytes of the program lie in a file that the text may refer to; nothing: it writes them out.
using Refer = std::function<std::optional<text::DataRef>(Bytes)>;

// The text that reads back as the same program (SameProgram). Short contents and those that repeat
// one element are written out; `refer` is asked for the others. The program must be one that a file
// can hold. O(text + stored bytes + n log n of the values).
[[nodiscard]] std::string Print(const Program& program, const Refer& refer = {});

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_PRINT_H_
