// One method of the program: name, banks, inputs and outputs, and all that the other steps read of
// it.
#ifndef PTEPROOF_RUNTIME_READER_METHODS_H_
#define PTEPROOF_RUNTIME_READER_METHODS_H_

#include "runtime/reader/context.h"

namespace pteproof::reader {

// Fills the program's methods. Its constants and initial values must be read before.
void ReadMethods(Context& context, const schema::Program& wire, Program& out);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_METHODS_H_
