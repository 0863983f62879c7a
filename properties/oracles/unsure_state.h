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

// A value that lives from call to call, has no name, and shares bytes with another such value. The
// check takes the two for one, but the file does not tell their initial content. `names` is by
// method. If there is such a pair, the result names it, and the program is not run. O(n log n) in
// values.
[[nodiscard]] std::optional<std::string> UnsureState(
    const Program& program, const std::vector<std::vector<StorageName>>& names,
    const ReplayOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_
