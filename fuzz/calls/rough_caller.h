// A caller that keeps to no rule: inputs that do not fit, memory that is too small or of an output
// that has some, memory that is gone after the call, calls with inputs missing, little fuel, work
// and memory.
#ifndef PTEPROOF_FUZZ_CALLS_ROUGH_CALLER_H_
#define PTEPROOF_FUZZ_CALLS_ROUGH_CALLER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "pteproof/datum.h"
#include "pteproof/program.h"
#include "pteproof/run.h"
#include "runtime/kernels/base/run_value.h"

namespace pteproof::fuzz {

// Calls the first method a few times; `inputs` are those of each call that would fit. Aborts where
// an input or memory is taken that does not fit, or is not taken and does; where a call runs with
// inputs missing; where it takes more memory or work than it may.
void CallRoughly(const Program& program, std::span<const std::vector<Datum>> inputs, uint64_t seed);

// Aborts if a call was ended by the last line of defence, where its pointers know the memory's end:
// the checks before it have missed something.
void RequireEarlyRefusal(const RunFault& fault);

// Aborts if an output has other sizes than the file says, or more bytes than it has memory.
void RequireWithinPlan(const RunValue& output);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_ROUGH_CALLER_H_
