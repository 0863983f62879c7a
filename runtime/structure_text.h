// How Python packs a method's inputs and outputs, as exported programs say it: a tree as text, with
// a version in front. Only Python reads it, to rebuild what the model took and returned.
#ifndef PTEPROOF_RUNTIME_STRUCTURE_TEXT_H_
#define PTEPROOF_RUNTIME_STRUCTURE_TEXT_H_

#include <cstddef>
#include <string>

#include "pteproof/program.h"

namespace pteproof {

// Of positional arguments only: a pair of their tuple and an empty dict.
[[nodiscard]] std::string PositionalInputs(size_t count);

// Of one value, or of a tuple of any other number.
[[nodiscard]] std::string FlatOutputs(size_t count);

// Gives a method that is made anew these two.
void SetFlatStructures(Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_STRUCTURE_TEXT_H_
