// Finds every write to bytes that hold a live value: the core of the check. Walks each block
// backwards with the set of live names in a byte map.
#ifndef PTEPROOF_PROPERTIES_CHECKS_CLOBBERS_H_
#define PTEPROOF_PROPERTIES_CHECKS_CLOBBERS_H_

#include <cstdint>
#include <vector>

#include "properties/checks/byte_map.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

// `victim` is live, `writer` is written over it by an instruction that does not mean to.
struct Clobber {
  int32_t victim = 0;  // a name (liveness.h)
  int32_t holder = 0;  // the value in whose bytes the victim lies: itself but for moved names
  int32_t reader = 0;  // who reads the victim next: instruction, or beyond the count as in LiveName
  int32_t writer = 0;  // value
  int32_t instruction = 0;  // that writes it; -1: the caller, who sets an input
  Place bytes;              // that both cover; empty: memory of the caller
};

struct Walk {
  std::vector<Clobber> clobbers;  // at most kMaxClobbers
  // Per memory id: most bytes live at once, places rounded up to alignment. The method's own state
  // always lives; in the second it is dead from its last read to its store.
  std::vector<uint64_t> load;
  std::vector<uint64_t> load_of_wanted;
  bool complete = true;  // false: given up, the control flow is beyond the limit on work
};

inline constexpr size_t kMaxClobbers = 200;

// O((accesses + live pairs) log n). `live`: of this very flow.
[[nodiscard]] Walk WalkBackwards(const MethodFlow& flow, const Liveness& live);

// The largest power of two, at most 16, that all placements of a method are multiples of: places
// are rounded up to it for the load.
[[nodiscard]] uint64_t PlanAlignment(const Method& method);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_CLOBBERS_H_
