// What each instruction of a method does to the bytes of its banks: the effects that it is meant to
// have (meaning/effects.h), on the values in whose bytes its arguments lie. No lifetimes, no
// judgement.
#ifndef PTEPROOF_PLANNER_LIFT_TOUCHES_H_
#define PTEPROOF_PLANNER_LIFT_TOUCHES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/passes/backward_walk.h"

namespace pteproof::planner {

// A value's or an instruction's place in a vector.
[[nodiscard]] constexpr size_t IndexOf(int32_t n) {
  return static_cast<size_t>(n);
}

// Values with a place in a bank, some perhaps twice. A value that a view, a move or a return slot
// made is given as the values in whose bytes it may lie.
struct Touch {
  std::vector<int32_t> reads;
  std::vector<int32_t>
      may_read;                  // by the way that was taken, of those that were moved to one value
  std::vector<int32_t> moves;    // what a move gives another name: read through that later, if ever
  std::vector<int32_t> fills;    // every byte is written
  std::vector<int32_t> updates;  // some bytes may be written
  std::vector<int32_t> rows;     // of the updates: made row by row, so that old contents are gone
};

struct MethodTouches {
  std::vector<Touch> of_instruction;
  std::vector<int32_t> inputs;          // the caller writes them before the first instruction
  std::vector<int32_t> outputs;         // the caller reads them after the last one
  std::vector<int32_t> may_be_outputs;  // by the way that was taken
  std::vector<Jump> jumps;              // ascending
  // Per value: those in whose bytes a view, a move or a return slot has put it.
  std::vector<std::vector<int32_t>> sources;
};

// O(n log n) in values and arguments, and with moves of moves their number times the values that
// each may be.
[[nodiscard]] MethodTouches TouchesOf(const meaning::MethodMeaning& meant);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_TOUCHES_H_
