// Bytes to a draft of one to four calls, and to what a caller does with it.
//
//   8 bytes   number of calls, places, bounds, policy, runs
//   8 bytes   for each call: which operator, and the seed of its operands and their homes
//   8 bytes   for each change of it (twists.h), up to the end
#ifndef PTEPROOF_FUZZ_CALLS_MAKE_DRAFT_H_
#define PTEPROOF_FUZZ_CALLS_MAKE_DRAFT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/calls/draft.h"
#include "pteproof/finding.h"

namespace pteproof::fuzz {

inline constexpr size_t kCallsHeader = 8;
inline constexpr size_t kCallsRecord = 8;  // of a call, and of a change

struct CallsPlan {
  Draft draft;
  std::vector<const OpSchema*> drawn;  // the operators of the calls, also of those without operands
  Policy policy = Policy::kPrivate;
  int runs = 1;              // of the method
  uint8_t shrink = 0;        // which sizes are smaller from the second run on
  uint8_t input_change = 0;  // other things that are wrong with the inputs of a run
  uint64_t rough = 0;        // the seed of a caller that keeps to no rule; 0: there is none
};

[[nodiscard]] CallsPlan PlanCalls(Bytes input);

// What the calls of a method have in common.
struct DraftStyle {
  bool packed = false;    // all planned tensors in one bank, else each in its own
  uint8_t bounded = 0;    // of 4: how many tensors may vary
  bool chained = false;   // tensors of earlier calls become operands
  bool steadies = false;  // integers and bools are constants, so that random inputs are no indices
};

struct DrawnCall {
  const OpSchema* op = nullptr;
  uint64_t seed = 0;
};

// These calls, not changed. Without those whose operands are not found.
[[nodiscard]] Draft DraftOf(std::span<const DrawnCall> calls, const DraftStyle& style);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_MAKE_DRAFT_H_
