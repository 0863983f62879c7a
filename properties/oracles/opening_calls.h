// The calls that a manifest's protocol puts ahead of all others, for runs of calls that were
// recorded without them.
#ifndef PTEPROOF_PROPERTIES_ORACLES_OPENING_CALLS_H_
#define PTEPROOF_PROPERTIES_ORACLES_OPENING_CALLS_H_

#include <string>
#include <vector>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// The methods that every history begins with, one after the other, as long as each is without
// inputs and outputs; each once. `manifest` may be null: none.
[[nodiscard]] std::vector<std::string> OpeningCalls(const Program& program,
                                                    const Manifest* manifest);

// Puts them ahead of each sequence that does not begin with the first of them. Nothing is expected
// of them.
void AddOpeningCalls(const Program& program, const Manifest* manifest, Recording& recording);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_OPENING_CALLS_H_
