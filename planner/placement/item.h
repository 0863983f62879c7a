// What a placement algorithm is given and what it gives back: plain data, no tensors, no files.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ITEM_H_
#define PTEPROOF_PLANNER_PLACEMENT_ITEM_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace pteproof::placement {

// Time points from `lower` up to, and without, `upper`.
struct Span {
  int64_t lower = 0;
  int64_t upper = 0;

  auto operator<=>(const Span&) const = default;
};

// One storage that wants bytes. `Int` is int64_t, or a symbolic integer when a proof runs the code.
template <class Int>
struct Item {
  Int size = 0;                   // bytes; 0: it takes no room
  Int alignment = 1;              // of its offset; a power of two
  std::vector<Span> live;         // ascending, disjoint, none empty; none at all: it takes no room
  std::optional<Int> fixed = {};  // the offset that it must have

  // It lies in the bytes of another item, `inside` bytes (at least 0) from that one's start: both
  // are meant to share them. The other may be tied in turn; no cycles. All items tied together are
  // placed as one; from the start of the one that is not tied each lies a multiple of its own
  // alignment.
  struct Tie {
    int32_t base = 0;  // index of the other item
    Int inside = 0;
  };
  std::optional<Tie> tie = {};
};

// Where items lie, by index. Items that share a time point share no byte, ties apart. An item that
// takes no room lies at 0, or where it is fixed or tied.
template <class Int>
struct Layout {
  std::vector<Int> offsets;
  Int peak = 0;  // bytes from 0 to the end of the last item that takes room
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ITEM_H_
