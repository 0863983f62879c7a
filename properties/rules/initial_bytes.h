// The bytes that loading copies to buffers.
#ifndef PTEPROOF_PROPERTIES_RULES_INITIAL_BYTES_H_
#define PTEPROOF_PROPERTIES_RULES_INITIAL_BYTES_H_

#include <cstdint>

#include "properties/vocabulary.h"
#include "pteproof/program.h"

namespace pteproof::checks {

struct Load {
  Place place;
  uint32_t initial = 0;  // index of the stored initial value; 0: it is not in the program
};

// Whether both copy the same from one byte on, as far as both go. Files may hold one value twice:
// their bytes count. O(bytes in common), O(1) for one and the same value.
[[nodiscard]] bool LoadAlike(const Program& program, const Load& a, const Load& b);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_INITIAL_BYTES_H_
