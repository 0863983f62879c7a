// Names for state that has none, so that it can be followed to another place.
#ifndef PTEPROOF_PROPERTIES_CERTIFY_NAME_STATE_H_
#define PTEPROOF_PROPERTIES_CERTIFY_NAME_STATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::certify {

// `values_at`: per method and value of the old program, its number in this one; none, or none of a
// method: the same. The program with names for the given values of each method, those that have one
// apart: names of their places in the old program, which has the same values. Whichever values they
// are, a comparison with these names is sound: it takes what lies there for equal before a call,
// and shows that it is equal after it.
[[nodiscard]] Program WithStateNamed(Program program, const Program& old_program,
                                     std::span<const std::vector<int32_t>> nameless,
                                     const Manifest* manifest,
                                     std::span<const std::vector<int32_t>> values_at);

}  // namespace pteproof::certify

#endif  // PTEPROOF_PROPERTIES_CERTIFY_NAME_STATE_H_
