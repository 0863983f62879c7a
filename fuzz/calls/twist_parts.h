// What the changes of a draft choose from.
#ifndef PTEPROOF_FUZZ_CALLS_TWIST_PARTS_H_
#define PTEPROOF_FUZZ_CALLS_TWIST_PARTS_H_

#include <cstdint>
#include <vector>

#include "fuzz/calls/choices.h"
#include "fuzz/calls/draft.h"

namespace pteproof::fuzz {

// Numbers of the kernel calls with a known operator.
[[nodiscard]] std::vector<size_t> CallsOf(const Draft& draft);
// Tensors that a call reads or writes, lists' items included.
[[nodiscard]] std::vector<int32_t> OperandTensors(const Draft& draft, const DraftStep& call);
[[nodiscard]] std::vector<int32_t> WrittenTensors(const Draft& draft, const DraftStep& call);
// All values of a kind.
[[nodiscard]] std::vector<int32_t> ValuesOf(const Draft& draft, ValueKind kind);
// Puts another value where the call has one, in its lists and its return slot too.
void ReplaceInCall(Draft& draft, DraftStep& call, int32_t old_value, int32_t new_value);
// Lets the steps from that one on run twice.
void RunTwice(Draft& draft, size_t from);
// A larger size, as far as there are any.
void Grow(int32_t& size, size_t by);
// Makes a tensor a planned one, if it is not.
void MakePlanned(DraftTensor& tensor);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_TWIST_PARTS_H_
