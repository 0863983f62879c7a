// State of which the file does not say whether it is one buffer or two.
#ifndef PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_
#define PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_

#include <optional>
#include <string>
#include <vector>

#include "properties/oracles/replay.h"
#include "properties/oracles/storage_names.h"
#include "pteproof/program.h"

namespace pteproof {

// A value that lives from call to call and has no name, in bytes that another such value has too:
// the check takes the two for one, but what it holds at first, nothing says. `names` is by method.
// Where there is such a pair, says which; such a program is not run. O(n log n) in values.
[[nodiscard]] std::optional<std::string> UnsureState(
    const Program& program, const std::vector<std::vector<StorageName>>& names,
    const ReplayOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_
