// The sizes of banks that a text need not say.
#ifndef PTEPROOF_RUNTIME_PTEASM_BANKS_H_
#define PTEPROOF_RUNTIME_PTEASM_BANKS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::pteasm {

// Banks that are just large enough for the method's tensors, rounded up as exporters do; bank 0 is
// reserved. Nothing: there would be more than kMostImpliedBanks.
[[nodiscard]] std::optional<std::vector<uint64_t>> ImpliedBanks(const Method& method);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_BANKS_H_
