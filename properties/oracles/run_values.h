// Data of a call as the runtime takes and gives them.
#ifndef PTEPROOF_PROPERTIES_ORACLES_RUN_VALUES_H_
#define PTEPROOF_PROPERTIES_ORACLES_RUN_VALUES_H_

#include <deque>
#include <vector>

#include "pteproof/program.h"
#include "reference/datum.h"
#include "runtime/execute/loaded_method.h"

namespace pteproof {

// An input, with its elements in the program's dim order. `memory` owns the data that the input
// points to.
[[nodiscard]] RunInput InputFor(const Method& method, size_t n, const Datum& datum,
                                std::deque<std::vector<std::byte>>& memory);

// An output, its elements in row-major order: a copy, or if it `may_view` them, its own bytes where
// they lie in that order.
[[nodiscard]] Datum DatumOf(const RunValue& output, bool may_view = false);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_RUN_VALUES_H_
