// The lifetimes of a method's storages as the table that `place` reads.
#ifndef PTEPROOF_CLI_RENDER_LIFETIMES_TEXT_H_
#define PTEPROOF_CLI_RENDER_LIFETIMES_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "pteproof/program.h"

namespace pteproof {

// "id,bank,lower,upper,size,alignment".
[[nodiscard]] std::string LifetimesHeader();

// A row per storage and stretch of its life, banks as METHOD:NUMBER, storages named after the
// values that lie in them ("v3+v7"); points as in properties/storages.h. `bank` (0: all) is the
// memory id. Nothing where the control flow is beyond the check's limit on work.
[[nodiscard]] std::optional<std::string> LifetimesText(const Method& method, uint32_t bank);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_LIFETIMES_TEXT_H_
