// The data that the file holds: constants, and initial values of buffers.
#ifndef PTEPROOF_PLANNER_STATE_STORED_DATA_H_
#define PTEPROOF_PLANNER_STATE_STORED_DATA_H_

#include <span>
#include <string>
#include <vector>

#include "planner/emit/emit.h"
#include "planner/plan.h"
#include "planner/state/layout.h"

namespace pteproof::planner {

// Puts constants and initial values into the program; by buffer, where they are. Zeros that the
// loader gives anyway take no bytes. A buffer without a place has no initial value in the file: a
// warning says that the caller sets it.
[[nodiscard]] std::vector<BufferInFile> StoreData(const graph::Module& module,
                                                  std::span<const Code> codes,
                                                  const StateLayout& state,
                                                  const std::vector<bool>& set_by_method,
                                                  bool plan_buffers, Planned& planned);

// Why a file cannot hold a Module's constants: zeros without a stated value, of more than 256 MB
// of them. Empty: it can.
[[nodiscard]] std::string FaultOfData(const graph::Module& module, std::span<const Code> codes,
                                      const StateLayout& state);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_STATE_STORED_DATA_H_
