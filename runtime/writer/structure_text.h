// How Python packs a method's inputs and outputs, as exported programs say it: a tree as text, with
// a version in front. Only Python reads it, to rebuild what the model took and returned.
#ifndef PTEPROOF_RUNTIME_WRITER_STRUCTURE_TEXT_H_
#define PTEPROOF_RUNTIME_WRITER_STRUCTURE_TEXT_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof::writer {

// The method's own text, or, where it has none, that of positional arguments only: a pair of their
// tuple and an empty dict.
[[nodiscard]] std::string InputStructure(const Method& method);

// The method's own text, or, where it has none, that of one value, or of a tuple of any other
// number.
[[nodiscard]] std::string OutputStructure(const Method& method);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_STRUCTURE_TEXT_H_
