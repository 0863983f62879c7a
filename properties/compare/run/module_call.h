// Runs a method of a Module on terms: entry values of buffers, nodes in order, all stores at exit
// at once. What a program that was made of the Module has to compute.
#ifndef PTEPROOF_PROPERTIES_COMPARE_RUN_MODULE_CALL_H_
#define PTEPROOF_PROPERTIES_COMPARE_RUN_MODULE_CALL_H_

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/run/planned_call.h"
#include "properties/compare/run/state_keys.h"
#include "properties/compare/run/trace.h"
#include "reference/graph/module.h"

namespace pteproof::compare {

// Whether calls leave a buffer with another value than it had.
enum class Change : uint8_t { kNo, kUnknown, kYes };

struct ModuleMethod {
  const graph::Module* module = nullptr;  // without views and mutation (graph::Functionalize)
  size_t method = 0;
  std::span<const StatePlace> states;  // of the program: buffers that it has as state
  // Of the program's method: the buffers that its own values are. Others of `states` are other
  // methods', and it has a constant for a buffer that the Module does not share with them.
  const std::set<std::string>& names;
  std::span<const Change> changed;  // per buffer
  CallSplits* splits = nullptr;     // is told where calls have their operands; may be null
};

// `dims`: the value of each dim. Outputs are inputs that the method stores to, then its own.
[[nodiscard]] Trace RunModule(TermTable& table, const ModuleMethod& of, const Assumptions& assumed,
                              std::span<const int64_t> dims);

// Per buffer: what a call of the method does to it, as far as terms tell at these dims.
[[nodiscard]] std::vector<Change> ChangedBuffers(TermTable& table, const graph::Module& module,
                                                 size_t method, std::span<const int64_t> dims);

// The key of a buffer in a program that the planner made; empty: the program has no such state.
[[nodiscard]] std::string KeyOfBuffer(const ModuleMethod& of, int32_t buffer);

// The buffer's value before the first call, as a content in row-major order.
[[nodiscard]] ContentId InitialContent(TermTable& table, const graph::Buffer& buffer);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_RUN_MODULE_CALL_H_
