// The names of a method that stand for bytes of other values, with the distances between their
// places: what a new plan keeps together.
#ifndef PTEPROOF_PLANNER_LIFT_DERIVED_NAMES_H_
#define PTEPROOF_PLANNER_LIFT_DERIVED_NAMES_H_

#include <cstdint>
#include <vector>

#include "meaning/method_meaning.h"

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

// Whether the value is a buffer's own, with a place in a bank.
[[nodiscard]] inline bool IsBuffer(const meaning::MethodMeaning& meant, int32_t v) {
  return meant.roles.of[static_cast<size_t>(v)] == meaning::Role::kState &&
         meant.roles.place[static_cast<size_t>(v)].bank > 0;
}

// The buffer whose name and place the value has, perhaps itself; -1: none.
[[nodiscard]] int32_t BufferOf(const meaning::MethodMeaning& meant, int32_t v);

// Whether an instruction writes bytes under the value's own name.
[[nodiscard]] inline bool IsWritten(const meaning::MethodMeaning& meant, int32_t v) {
  return meant.roles.usage[static_cast<size_t>(v)].writes_own_bytes();
}

// Whether the call that gives a value its name copies the bytes if the value lies elsewhere: then a
// plan may take both apart.
[[nodiscard]] bool CopiesIfApart(const meaning::MethodMeaning& meant,
                                 const meaning::Rename& rename);

// Ascending by value, then by instruction: a name is taken more than once if it is used on paths
// that have no other moment in common. O(n log n).
[[nodiscard]] std::vector<DerivedName> DerivedNamesOf(const meaning::MethodMeaning& meant);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_DERIVED_NAMES_H_
