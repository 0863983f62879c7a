#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A store's source is what it stores to.
bool StoreOntoItself(const Plan& plan) {
  const auto copies =
      CallsOf(plan.program, [](const Method&, const Operator& op, auto) { return IsCopy(op); });
  const auto at = PickOf(copies, plan);
  if (!at) return false;
  at->arg(1) = at->arg(0);
  return true;
}

const RegisterDefect kStoreOntoItself(
    {.name = "store-onto-itself", .entry = 6, .invariant = "I8", .damage = StoreOntoItself});

}  // namespace
}  // namespace pteproof
