// Idea. A reshape has the bytes of its operand, so it becomes another name of them and needs no
// instruction. The largest values go first, as sharing is greedy. A reader of the file takes a
// value without a writer at the placement of another for a view; a delegate's argument must have a
// writer. So views that delegates get stay.
//
//   v1: float32[2, 8]   bank 1 [0, 64)      written by step 3
//   v2: float32[16]     bank 1 [0, 64)      no instruction: a view of v1
//
// Cost: O(n log n) and one attempt of Sharing for each view.
#include "planner/code/same_bytes.h"
#include "planner/passes/candidates.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"

namespace pteproof::planner {

void ElideViews(const Code& code, Sharing& sharing) {
  const std::vector<bool> delegated = GivenToDelegates(code);
  const auto keeps_bytes = [&](const Step& step) {
    const auto base = BytesKept(code, step);
    if (!base || delegated[static_cast<size_t>(step.results.front())]) return false;
    // Of what varies, a view of fixed sizes is one at some sizes only: no reader takes it for one.
    const bool as_many = sharing.BytesOf(*base) == sharing.BytesOf(step.results.front());
    return as_many || Planted(Defect::kSpreadTakenForView);
  };
  for (const Step* step : LargestFirst(code, sharing, keeps_bytes)) {
    sharing.TryShare(*BytesKept(code, *step), step->results.front());
  }
}

}  // namespace pteproof::planner
