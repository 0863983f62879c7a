// What the values of a decoded method stand for as its source meant it, whatever the plan does to
// their bytes: state, names of other values' bytes that no instruction makes, and values with a
// storage of their own.
#ifndef PTEPROOF_PLANNER_LIFT_NAMES_H_
#define PTEPROOF_PLANNER_LIFT_NAMES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "planner/lift/touches.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// Bytes of another value.
struct NamedBytes {
  int32_t of = -1;
  int64_t at = 0;  // where the other value begins, from this one's first byte; below 0: before it
};

// A value that stands for bytes of others: a view, a concatenation, a slice.
struct DerivedName {
  int32_t value = -1;
  std::vector<NamedBytes> bytes;  // one; of a concatenation, all of its parts in order
  int32_t made_before = 0;        // instruction: what it holds is what the others hold before it
  bool is_buffer = false;         // a second name of a buffer, that an instruction writes
};

// When the listing touches a planned value; the count of instructions stands for the caller.
struct ValueUse {
  int32_t made = INT32_MAX;  // first write that needs no old contents
  int32_t last_made = -1;
  int32_t used = INT32_MAX;  // first read
  bool updated = false;      // some instruction changes what it holds
};

struct MethodNames {
  std::vector<bool> is_state;        // per value
  std::vector<DerivedName> derived;  // ascending by value
  std::vector<ValueUse> uses;        // per value
  std::vector<int32_t> highest;  // per instruction: the highest value that it or one before uses
};

// By place, type, order of values and literals alone. O(n log n) in values and arguments, and times
// the values for each slice.
[[nodiscard]] MethodNames NamesOf(const Method& method, const MethodTouches& touches);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_NAMES_H_
