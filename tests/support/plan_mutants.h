// Small random damage to a method's plan, of the kinds that planners do by mistake. Whether it does
// harm is for others to find out.
#ifndef PTEPROOF_TESTS_SUPPORT_PLAN_MUTANTS_H_
#define PTEPROOF_TESTS_SUPPORT_PLAN_MUTANTS_H_

#include <optional>
#include <random>
#include <string>

#include "runtime/program.h"

namespace pteproof {

struct Mutant {
  Method method;
  std::string what;
};

// One of: a place, with all values that have it, moved onto another value's bytes; a bank that is
// 16 bytes smaller; a copy_ that stores its source onto itself; two outputs swapped. Empty where
// the method has nothing of the kind that was drawn.
[[nodiscard]] std::optional<Mutant> DrawMutant(const Method& method, std::mt19937& random);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_PLAN_MUTANTS_H_
