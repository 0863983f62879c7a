// Takes mutation out of a Module: what operators write in place, directly or through views, becomes
// new values, and what the storages of buffers and inputs hold at exit becomes stores.
//
//   %b = entry @cache                        %b = entry @cache
//   %v = view slice_copy(%b, 0, 2, 3, 1)     %v = slice_copy(%b, 0, 2, 3, 1)
//   %w = copy_(%v, %x)                ->     %w = copy(%v, %x)
//   return %b                                %1 = slice_scatter(%b, %w, 0, 2, 3, 1)
//                                            return %1
//                                            store @cache = %1
#ifndef PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZE_H_
#define PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZE_H_

#include <string>

#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof::graph {

// The same Module without `view` nodes and mutating operators: a call gives the same outputs,
// inputs afterwards and state. Values keep their numbers, new ones come after them; methods that do
// not mutate stay as they are. The Module must be well-formed.
//
// A region that writes a parameter writes the operand: the new contents become a result of its node
// (a carried value of a loop). An error says what has no such form here:
//   * an operator that writes and has no functional form, or writes another than its first operand;
//   * a store through a view whose elements share bytes (expand), or of another operator than
//     slice, select, view, squeeze, unsqueeze, permute, transpose, t, alias;
//   * a read of a value of which it is open whether an earlier store wrote it: results of branches
//     and loops may be other names of operands (a loop that runs zero times returns them), and two
//     operands of one region may be names of one storage. A branch or loop that returns a parameter
//     itself is understood: the result is the operand;
//   * a delegate that has a buffer in a region, or one that was stored to before, or that both it
//     and the method write;
//   * a map that writes an argument, and a loop's test that writes a parameter;
//   * a loop that writes parameters, if a carried value is written but not returned in its place,
//     or if two carried values may come to name one storage.
// O(nodes + operands), but for views: each is computed anew for every store to its storage that
// comes before a use of it.
[[nodiscard]] Result<Module, std::string> Functionalize(const Module& module);

// Whether any node, also in regions, is a view or writes an operand.
[[nodiscard]] bool HasMutation(const Region& region);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_FUNCTIONALIZE_H_
