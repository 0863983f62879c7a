// Offsets from elsewhere, judged: what `place --verify` does.
#ifndef PTEPROOF_CLI_VERBS_VERIFY_PLACES_H_
#define PTEPROOF_CLI_VERBS_VERIFY_PLACES_H_

#include "cli/io/exit_code.h"
#include "cli/load/lifetime_table.h"
#include "cli/verbs/place_command.h"

namespace pteproof {

// Writes a line per bank: "FILE: right, ..." or "FILE: wrong: " and the first mistake. kUnsafe: a
// bank is wrong. The offsets of `table` are to be verified (lifetime_table.h).
[[nodiscard]] ExitCode VerifyPlaces(const PlaceRequest& request, const LifetimeTable& table);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_VERIFY_PLACES_H_
