// How buffers get their initial values: the method that sets them, and the data that the file
// holds.
#ifndef PTEPROOF_PLANNER_STATE_INITIAL_H_
#define PTEPROOF_PLANNER_STATE_INITIAL_H_

#include <span>
#include <string>
#include <vector>

#include "planner/emit/emit.h"
#include "planner/plan.h"
#include "planner/state/layout.h"

namespace pteproof::planner {

inline constexpr const char* kModuleInit = "et_module_init";

// Which buffers the synthetic method sets: those that several methods share and that do not start
// as zeros, since a copy at each method's load would undo what others stored; all shared ones that
// are stored to under InitialState::kMethod, or when the method is asked for.
[[nodiscard]] std::vector<bool> SetByMethod(const graph::Module& module, const PlanOptions& options,
                                            const StateLayout& state);

// Appends the method, and a constant per value that is not zero.
void AddModuleInit(const std::vector<bool>& buffers, graph::Module& module);

// Puts constants and initial values into the program; by buffer, where they are. Zeros that the
// loader gives anyway take no bytes. A buffer without a place has no initial value in the file: a
// warning says that the caller sets it.
[[nodiscard]] std::vector<BufferInFile> StoreData(const graph::Module& module,
                                                  std::span<const Code> codes,
                                                  const StateLayout& state,
                                                  const std::vector<bool>& set_by_method,
                                                  bool plan_buffers, Planned& planned);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_STATE_INITIAL_H_
