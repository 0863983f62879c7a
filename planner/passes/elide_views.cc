#include "planner/code/same_bytes.h"
#include "planner/passes/candidates.h"
#include "planner/passes/passes.h"

namespace pteproof::planner {

void ElideViews(const Code& code, Sharing& sharing) {
  const std::vector<bool> delegated = GivenToDelegates(code);
  const auto keeps_bytes = [&](const Step& step) {
    return BytesKept(code, step) && !delegated[static_cast<size_t>(step.results.front())];
  };
  for (const Step* step : LargestFirst(code, sharing, keeps_bytes)) {
    sharing.TryShare(*BytesKept(code, *step), step->results.front());
  }
}

}  // namespace pteproof::planner
