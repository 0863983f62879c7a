// When the bytes of a method's values are in use, as the check sees it from the file alone. For
// people who read a plan; the check itself works on names and points (checks/liveness.h).
#ifndef PTEPROOF_PROPERTIES_LIFETIMES_H_
#define PTEPROOF_PROPERTIES_LIFETIMES_H_

#include <cstdint>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// From the first to the last instruction, in listing order, at which a value's bytes hold a value
// that is still wanted, on some path and under any name: views, in-place results and moves
// included.
struct Lifetime {
  static constexpr int32_t kEntry = -1;  // as `first`: from the method's entry on

  bool always = false;  // a buffer, whose value later calls read, or a constant
  int32_t first = 0;
  int32_t last = -1;  // the instruction count: to the method's end

  [[nodiscard]] bool empty() const { return !always && last < first; }
  bool operator==(const Lifetime&) const = default;
};

// By value; empty for values that are not tensors or are never in use. No list at all if the
// control flow is beyond the check's limit on work.
[[nodiscard]] std::vector<Lifetime> LifetimesOf(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_LIFETIMES_H_
