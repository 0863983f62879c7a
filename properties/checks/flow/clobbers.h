// Finds every write to bytes that hold a live value: the core of the check. Walks each block
// backwards with the set of live names in a byte map.
#ifndef PTEPROOF_PROPERTIES_CHECKS_FLOW_CLOBBERS_H_
#define PTEPROOF_PROPERTIES_CHECKS_FLOW_CLOBBERS_H_

#include <cstdint>
#include <vector>

#include "properties/checks/flow/byte_map.h"
#include "properties/checks/flow/liveness.h"

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

// A state whose value at entry the method uses.
struct EntryRead {
  int32_t state = 0;   // index in Roles::states
  int32_t reader = 0;  // as in LiveName
};

// An operand or result that a move or an et_view made, with a value in whose bytes it lies.
struct MovedPlace {
  int32_t instruction = 0;
  int32_t value = 0;
  int32_t holder = 0;
  auto operator<=>(const MovedPlace&) const = default;
};

struct Walk {
  std::vector<Clobber> clobbers;  // at most kMaxClobbers
  std::vector<LiveName> unmade;   // wanted at the entry on some path, though nothing made them
  std::vector<EntryRead> entry_reads;
  std::vector<MovedPlace> moved;  // ascending
  // Per memory id: most bytes live at once, places rounded up to alignment. The method's own state
  // always lives; in the second it is dead from its last read to its store.
  std::vector<uint64_t> load;
  std::vector<uint64_t> load_of_wanted;
  bool complete = true;  // false: given up, the control flow is beyond the limit on work
};

inline constexpr size_t kMaxClobbers = 200;

// Names live at the method's end: outputs, and the state that later calls read.
[[nodiscard]] std::vector<LiveName> NamesAtEnd(const MethodFlow& flow);

// O((accesses + live pairs) log n). `alignment`: bytes that placements are rounded up to for the
// load.
[[nodiscard]] Walk WalkBackwards(const MethodFlow& flow, uint64_t alignment);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_FLOW_CLOBBERS_H_
