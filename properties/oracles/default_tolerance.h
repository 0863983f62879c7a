// The bounds within which a method's outputs agree with recorded ones, by the operators that it
// has.
#ifndef PTEPROOF_PROPERTIES_ORACLES_DEFAULT_TOLERANCE_H_
#define PTEPROOF_PROPERTIES_ORACLES_DEFAULT_TOLERANCE_H_

#include <string_view>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/program.h"

namespace pteproof {

// Those of the element types, and besides:
//   long sums (products, convolutions, means, norms, attention)   relative to the tensor's largest
//   operators on quantised numbers                                one code
// A method has the bounds of all of its operators. O(instructions).
[[nodiscard]] Tolerance DefaultTolerance(const Method& method);

// The same of the program's method of that name; the bounds of the types if there is none.
[[nodiscard]] Tolerance DefaultTolerance(const Program& program, std::string_view method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_DEFAULT_TOLERANCE_H_
