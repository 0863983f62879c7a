// A method's operators and instructions: everything they refer to is there and of the right kind.
// Whether they compute anything sensible is not asked.
#ifndef PTEPROOF_RUNTIME_READER_INSTRUCTIONS_H_
#define PTEPROOF_RUNTIME_READER_INSTRUCTIONS_H_

#include "runtime/reader/method_scope.h"

namespace pteproof::reader {

// Fills the method's operators, with their entries of the operator table.
void ReadOperators(const MethodScope& scope);

// Fills the method's instructions: all chains one after the other, jump targets counted from the
// first instruction of the first. Values, inputs, operators and delegates must be read before.
void ReadInstructions(const MethodScope& scope);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_INSTRUCTIONS_H_
