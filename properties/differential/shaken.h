// The same case with numbers that are slightly off: the outputs of its calls show how far rounding
// can carry.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_

#include "properties/generators/build_module.h"
#include "reference/run/interpret.h"

namespace pteproof {

// Each float of inputs and of buffers' initial values is moved, up and down in turn, by a 25th of
// the bound for outputs of its type, or by the precision of its type if that is more. A Module
// whose outputs move by more than the bound multiplies an error by 25: two right implementations of
// its operators can give outputs that differ.
[[nodiscard]] generators::RandomCase Shaken(generators::RandomCase c);

// Moves each float of the tensors that it is given, up and down in turn, by at most four times the
// precision of its type, and by another part in each of several tensors: operators that give the
// same number in two ways, each rounded once more, need not give the same any longer.
[[nodiscard]] Change RoundedOnceMore();

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_
