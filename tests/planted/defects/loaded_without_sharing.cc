#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A file whose methods share buffers is loaded with banks of each method's own.
bool LoadedWithoutSharing(const Plan& plan) {
  plan.loader = Policy::kPrivate;
  return true;
}

const RegisterDefect kLoadedWithoutSharing({.name = "loaded-without-sharing",
                                            .entry = 24,
                                            .invariant = "I7",
                                            .damage = LoadedWithoutSharing});

}  // namespace
}  // namespace pteproof
