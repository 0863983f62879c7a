// The changes of a plan: each changes one thing that the file means, and leaves a Program that a
// file can hold. Grouped by subject, a file each.
#ifndef PTEPROOF_FUZZ_MUTATE_PLAN_CHANGE_H_
#define PTEPROOF_FUZZ_MUTATE_PLAN_CHANGE_H_

#include <span>
#include <string_view>
#include <vector>

#include "fuzz/mutate/random.h"
#include "pteproof/program.h"

namespace pteproof::fuzz::plan {

struct Change {
  std::string_view name;  // "move-offset"
  // False where the program has nothing of the kind, or what was drawn changes nothing; then it is
  // as it was. O(size of the program).
  bool (*make)(Program& program, Random& random);
};

[[nodiscard]] std::span<const Change> PlaceChanges();        // where tensors lie
[[nodiscard]] std::span<const Change> BankChanges();         // what they lie in
[[nodiscard]] std::span<const Change> TensorChanges();       // what tensors are
[[nodiscard]] std::span<const Change> ValueChanges();        // what other values are
[[nodiscard]] std::span<const Change> ArgumentChanges();     // what calls are given
[[nodiscard]] std::span<const Change> InstructionChanges();  // what is done, and in which order
[[nodiscard]] std::span<const Change> BoundaryChanges();     // inputs and outputs
[[nodiscard]] std::span<const Change> StateChanges();        // names and stored data
[[nodiscard]] std::span<const Change> MethodChanges();       // whole methods
[[nodiscard]] std::span<const Change> BlobChanges();         // delegates and named data
[[nodiscard]] std::span<const Change> PlannerDamages();      // what planners do by mistake

// All of them.
[[nodiscard]] const std::vector<Change>& AllChanges();

}  // namespace pteproof::fuzz::plan

#endif  // PTEPROOF_FUZZ_MUTATE_PLAN_CHANGE_H_
