// The same case with numbers that are a little off: what its calls give then says how far rounding
// can carry.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_

#include "properties/generators/build_module.h"

namespace pteproof {

// Each float of inputs and of buffers' initial values is moved, by turns up and down, by a 25th of
// what outputs of its type may differ by, or by its type's precision where that is more. A Module
// whose outputs move by more than they may differ makes 25 times as much of an error: two right
// implementations of its operators can give outputs that differ.
[[nodiscard]] generators::RandomCase Shaken(generators::RandomCase c);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_SHAKEN_H_
