// Paths through a method's listing, as the jumps that they take.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_PATHS_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_PATHS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "meaning/method_meaning.h"

namespace pteproof::certificate {

// From the method's entry through these instructions, one after the other; the instruction count is
// the end. A number for each jump that goes either way: 1 if it is taken. Nothing: no such path, or
// one that is longer than any witness has to be. O(instructions) for each.
[[nodiscard]] std::optional<std::vector<int32_t>> PathThrough(const meaning::MethodMeaning& meant,
                                                              const std::vector<int32_t>& through);

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_PATHS_H_
