// Draws drafts: the default distribution of random cases.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_DRAW_H_
#define PTEPROOF_PROPERTIES_GENERATORS_DRAW_H_

#include <cstdint>
#include <functional>

#include "properties/generators/draft.h"

namespace pteproof::generators {

// `next` gives 64 random bits a call; `size` (0 to 100) scales how much there is of everything.
[[nodiscard]] CaseDraft DrawCase(const std::function<uint64_t()>& next, int size);

// The case of a seed at full size; equal seeds give equal cases on every machine.
[[nodiscard]] CaseDraft DrawCase(uint64_t seed);

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_DRAW_H_
