// One to four calls of any operators that have a kernel, with operands that fit and then some that
// do not: nothing breaks, and each run ends within a bound on work.
#include "fuzz/calls/run_calls.h"
#include "fuzz/targets/targets.h"

namespace pteproof::fuzz {

Stage FuzzKernels(Bytes input) {
  return RunCalls(PlanCalls(input)).stage;
}

}  // namespace pteproof::fuzz
