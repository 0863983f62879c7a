// Calls beside those of operators with a kernel: operators that a user's signatures describe, and
// those that a planner has made needless.
#ifndef PTEPROOF_FUZZ_CALLS_OWN_CALLS_H_
#define PTEPROOF_FUZZ_CALLS_OWN_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "fuzz/calls/draft.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {

// Operators whose signatures the fuzzers bring: one that writes, one in place, one that gives a
// view, one whose result lies where its operand is and that writes to another one.
[[nodiscard]] const std::deque<OpSchema>& OwnCalls();

// Gives a program the signatures of those. False: a call does not fit its signature.
[[nodiscard]] bool BindOwnCalls(Program& program);

inline constexpr size_t kNeedlessCalls = 3;

// A call that does nothing, as a bank of that number has its result at its place: 0 puts two parts
// together, 1 cuts a slice, 2 takes a row. Its values are new; the instruction is not added yet.
[[nodiscard]] DraftStep AddNeedlessCall(Draft& draft, size_t which, uint32_t bank);

// One of the tensors that such a call reads.
[[nodiscard]] int32_t AnyPartOf(const Draft& draft, const DraftStep& call, size_t choice);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_OWN_CALLS_H_
