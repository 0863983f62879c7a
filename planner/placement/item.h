// What a placement algorithm gives back: plain data, no tensors, no files. What it is given is in
// pteproof/place.h.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ITEM_H_
#define PTEPROOF_PLANNER_PLACEMENT_ITEM_H_

#include <vector>

#include "pteproof/place.h"

namespace pteproof::placement {

// Where items lie, by index. Items that share a time point share no byte, ties apart. An item that
// takes no room lies at 0, or where it is fixed or tied.
template <class Int>
struct Layout {
  std::vector<Int> offsets;
  Int peak = 0;  // bytes from 0 to the end of the last item that takes room
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ITEM_H_
