#include "fuzz/mutate/plan/change.h"

namespace pteproof::fuzz::plan {
namespace {

std::vector<Change> Gather() {
  std::vector<Change> all;
  for (const auto group : {PlaceChanges(), BankChanges(), TensorChanges(), ValueChanges(),
                           ArgumentChanges(), InstructionChanges(), BoundaryChanges(),
                           StateChanges(), MethodChanges(), BlobChanges(), PlannerDamages()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace

const std::vector<Change>& AllChanges() {
  static const std::vector<Change> all = Gather();
  return all;
}

}  // namespace pteproof::fuzz::plan
