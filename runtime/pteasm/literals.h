// Which values of a method need no line of their own: constants that are used once, and written
// where they are used.
#ifndef PTEPROOF_RUNTIME_PTEASM_LITERALS_H_
#define PTEPROOF_RUNTIME_PTEASM_LITERALS_H_

#include <vector>

#include "pteproof/program.h"

namespace pteproof::pteasm {

// By value: whether it is written as a literal. All others must be printed with their numbers; then
// the literals get theirs back when they are read in order.
[[nodiscard]] std::vector<bool> LiteralsOf(const Method& method);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_LITERALS_H_
