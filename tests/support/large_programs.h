// Programs with a great many of one thing, for tests of what reading and checking them takes. Each
// is sound unless it says otherwise.
#ifndef PTEPROOF_TESTS_SUPPORT_LARGE_PROGRAMS_H_
#define PTEPROOF_TESTS_SUPPORT_LARGE_PROGRAMS_H_

#include <cstdint>

#include "tests/support/method_builder.h"

namespace pteproof {

// `count` Ints that nothing uses.
[[nodiscard]] Method ManyValues(int32_t count);
// A chain of products in two places by turns.
[[nodiscard]] Method LongChain(int32_t count, std::string name = "forward");
// Two lists of `count` items: the same Int, the same tensor.
[[nodiscard]] Method HugeLists(int32_t count);
// `calls` concatenations that are all given one list of `items` tensors.
[[nodiscard]] Method SharedList(int32_t items, int32_t calls);
// Values that no instruction writes, each read at the place of one product: elided views of it.
[[nodiscard]] Method ManyViews(int32_t count);
// Each product may be jumped over.
[[nodiscard]] Method ForwardJumps(int32_t count);
// A product that each jump leads to a jump's own distance back: loops in loops.
[[nodiscard]] Method NestedLoops(int32_t count);
// Jumps that all lead to the end.
[[nodiscard]] Method JumpsToTheEnd(int32_t count);
// `count` conditions, each of which moves the result of one of two branches on.
[[nodiscard]] Method ManyMoves(int32_t count);
// One loop that moves `count` values round: each may lie in the place of any.
[[nodiscard]] Method MovesRound(int32_t count);
// Values that no instruction writes, which begin at one byte and end at bytes of their own: each
// may be state.
[[nodiscard]] Method UnwrittenOverlaps(int32_t count);
// `count` methods; with state, each stores to `states` buffers that all of them share.
[[nodiscard]] Program ManyMethods(int32_t count, int32_t states = 0);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_LARGE_PROGRAMS_H_
