// Bools and integers that nothing sets: a jump on one goes the same way in every call.
#ifndef PTEPROOF_RUNTIME_LITERAL_BOOLS_H_
#define PTEPROOF_RUNTIME_LITERAL_BOOLS_H_

#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// Per value: whether it is a Bool that neither the caller nor an instruction sets. A call sets what
// it returns; a delegate, or an operator that the table does not know, may set any argument.
// O(values + arguments).
[[nodiscard]] std::vector<bool> LiteralBoolsOf(const Method& method);

// The same of integers.
[[nodiscard]] std::vector<bool> LiteralIntsOf(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_LITERAL_BOOLS_H_
