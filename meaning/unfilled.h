// Whether a tensor that is filled part by part is read on a path that fills no part of it.
#ifndef PTEPROOF_MEANING_UNFILLED_H_
#define PTEPROOF_MEANING_UNFILLED_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "meaning/liveness.h"

namespace pteproof::meaning {

// Per value that some instruction fills: all instructions that write it, or give it another's
// bytes, ascending. O(accesses log accesses).
[[nodiscard]] std::map<int32_t, std::vector<int32_t>> WritersOfFilled(const MethodFlow& flow);

// Whether some path from the method's entry comes to `reader` (the instruction count: the method's
// end) without passing one of the writers. That all parts are filled once one is cannot be told
// from the listing. O(blocks log writers).
[[nodiscard]] bool IsReadUnfilled(const MethodFlow& flow, std::span<const int32_t> writers,
                                  int32_t reader);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_UNFILLED_H_
