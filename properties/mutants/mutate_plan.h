// Small damage to a program's plan, of the kinds that planners do by mistake. Whether a mutant is
// harmful is for the ways of checking to find out, and to agree on.
#ifndef PTEPROOF_PROPERTIES_MUTANTS_MUTATE_PLAN_H_
#define PTEPROOF_PROPERTIES_MUTANTS_MUTATE_PLAN_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pteproof/program.h"

namespace pteproof::mutants {

enum class Damage : uint8_t {
  kMovePlace,    // a place, with all values that have it, onto bytes of another value
  kMoveValue,    // one value, without the other names of its bytes
  kShiftLayout,  // everything that a method keeps in one bank, by 16 bytes
  kShrinkBank,   // a bank is 16 bytes smaller
  kMarkInPlace,  // a result on an operand of its instruction
  kSwapOrder,    // two instructions that follow each other and deal with different values
  kLoseStore,    // a copy_ stores its source onto itself
  kSwapOutputs,  // two outputs of a method
  kMoveBank,     // a bank lies on a device, or no longer
  kLosePlace,    // state without a placement
};
inline constexpr int kDamageCount = 10;

[[nodiscard]] std::string_view Name(Damage damage);

// What was done, and to which method: "'decode': bank 1 [0,64) moved to bank 1 48".
struct Mutation {
  Program program;
  Damage damage = Damage::kMovePlace;
  std::string what;
};

// Damages one method. `draw(n)` gives a number below n, n > 0. Nothing where the method that is
// drawn has nothing of the kind. O(size of the program).
[[nodiscard]] std::optional<Mutation> MutatePlan(const Program& program, Damage damage,
                                                 const std::function<size_t(size_t)>& draw);

}  // namespace pteproof::mutants

#endif  // PTEPROOF_PROPERTIES_MUTANTS_MUTATE_PLAN_H_
