// From a method of the graph to a list of steps, as plain as it can be: every value has bytes of
// its own, every hand-over is a copy. Nothing is clever here; the passes take out what is not
// needed.
#ifndef PTEPROOF_PLANNER_CODE_LINEARISE_H_
#define PTEPROOF_PLANNER_CODE_LINEARISE_H_

#include <vector>

#include "planner/code/code.h"

namespace pteproof::planner {

// `module` is functional (graph::Functionalize) and well-formed. All buffers count as mutable: what
// no code stores to is marked afterwards (MarkConstants).
//
//   cond    JumpFalse p -> else; then...; r = copy of its result; Jump -> end; else...; r = copy
//   while   c = copy of what it starts with; head: test...; JumpFalse -> end; body...; c = copies
//           of the body's results, all at once; Jump -> head
//   map     i = 0; results = no rows; JumpFalse any -> end; head: row = select_copy(xs, i)...;
//           body...; et_copy_index of each result; i += 1; JumpFalse i == n -> head
//   scan    both of them
//   exit    the stores as copies, all at once: temporaries only where copies go round in a circle
//
// Parameters of regions that are not carried are the operands themselves. Numbers that depend on
// dims are computed at the start, from sizes of inputs. A user output that denotes what a buffer
// or an input held at entry is a copy, made before any store to it. O(nodes + operands).
[[nodiscard]] Code Linearise(const graph::Module& module, size_t method);

// Buffers that are not state of this method are constants of it. By index in Module::buffers.
void MarkConstants(const std::vector<bool>& state, Code& code);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_CODE_LINEARISE_H_
