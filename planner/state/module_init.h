// The synthetic method that gives shared buffers their initial values.
#ifndef PTEPROOF_PLANNER_STATE_MODULE_INIT_H_
#define PTEPROOF_PLANNER_STATE_MODULE_INIT_H_

#include <vector>

#include "planner/options.h"
#include "planner/state/layout.h"
#include "pteproof/program.h"
#include "reference/graph/module.h"

namespace pteproof::planner {

inline constexpr const char* kModuleInit = "et_module_init";

// Whether a loader's zero-filled memory is the buffer's initial value already.
[[nodiscard]] bool StartsAsZeros(const graph::Buffer& buffer);

// Which buffers the method sets: those that several methods share and that do not start as zeros,
// since a copy at each method's load would undo what others stored; all shared ones that are stored
// to under InitialState::kMethod, or when the method is asked for.
[[nodiscard]] std::vector<bool> SetByMethod(const graph::Module& module, const PlanOptions& options,
                                            const StateLayout& state);

// Appends the method, and a constant per value that is not zero.
void AddModuleInit(const std::vector<bool>& buffers, graph::Module& module);

[[nodiscard]] bool HasModuleInit(const Program& program);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_STATE_MODULE_INIT_H_
