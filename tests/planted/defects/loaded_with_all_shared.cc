#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// A file with buffers of methods' own is loaded with all banks in common.
bool LoadedWithAllShared(const Plan& plan) {
  if (plan.loader == Policy::kShareAll) return false;
  plan.loader = Policy::kShareAll;
  return true;
}

const RegisterDefect kLoadedWithAllShared({.name = "loaded-with-all-shared",
                                           .entry = 41,
                                           .invariant = "I6",
                                           .damage = LoadedWithAllShared});

}  // namespace
}  // namespace pteproof
