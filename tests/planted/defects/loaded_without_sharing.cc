#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A file whose methods share buffers is loaded with banks of each method's own.
bool Damage(const Plan& plan) {
  plan.loader = Policy::kPrivate;
  return true;
}

const RegisterDefect kRegistered(
    {.name = "loaded-without-sharing", .entry = 24, .invariant = "I7", .damage = Damage});

}  // namespace
}  // namespace pteproof
