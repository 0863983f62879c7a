// Changes of a draft that a correct exporter never makes and a file may: outs that are operands,
// results over what steers the call, views, moves, loops, numbers without sense.
#ifndef PTEPROOF_FUZZ_CALLS_TWISTS_H_
#define PTEPROOF_FUZZ_CALLS_TWISTS_H_

#include <span>
#include <string_view>

#include "fuzz/calls/choices.h"
#include "fuzz/calls/draft.h"

namespace pteproof::fuzz {

struct TwistRow {
  std::string_view name;
  // False: it found no place.
  bool (*make)(Draft& draft, Choices& choices) = nullptr;
};

// Of memory: which bytes a call's operands and results have in common, and whose they are.
[[nodiscard]] std::span<const TwistRow> MemoryTwists();
// Of types, sizes, bounds, orders.
[[nodiscard]] std::span<const TwistRow> FormTwists();
// Of numbers, in literals and in data.
[[nodiscard]] std::span<const TwistRow> NumberTwists();
// Of instructions: moves, views, loops, calls that nobody knows.
[[nodiscard]] std::span<const TwistRow> StepTwists();

// Of what few programs have.
[[nodiscard]] std::span<const TwistRow> RareTwists();

// Makes the change that the record says.
bool Twist(Draft& draft, Bytes record);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_TWISTS_H_
