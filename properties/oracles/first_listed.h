// Where each value of a method comes up first.
#ifndef PTEPROOF_PROPERTIES_ORACLES_FIRST_LISTED_H_
#define PTEPROOF_PROPERTIES_ORACLES_FIRST_LISTED_H_

#include <cstdint>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// Per value: the first instruction that mentions it, by itself or in a list; -1 for inputs,
// INT32_MAX for a value that no instruction mentions. O(arguments).
[[nodiscard]] std::vector<int32_t> FirstListed(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_FIRST_LISTED_H_
