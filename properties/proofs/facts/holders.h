// The bytes in which a name lies: a name that a move or an et_view made lies where its source lies,
// over all paths that lead to it. A kernel that writes such a name writes those bytes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "properties/proofs/facts/paths.h"

namespace pteproof::proofs {

class Holders {
 public:
  // Points into both.
  Holders(std::span<const Take> takes, const Paths& paths);

  [[nodiscard]] bool IsHandle(int32_t name) const { return takes_to_.contains(name); }
  // The values in whose bytes a name lies just before a moment, ascending. The name itself is among
  // them if it is not a handle, or if on some path no move has reached it yet. O(runs and moves
  // that lead to it).
  [[nodiscard]] std::vector<int32_t> Of(int32_t name, Moment at) const;

 private:
  // The last take to a handle within a run and before a moment, or null.
  [[nodiscard]] const Take* LastTake(int32_t name, int32_t run, Moment at) const;

  std::span<const Take> takes_;
  const Paths& paths_;
  std::map<int32_t, std::vector<const Take*>> takes_to_;  // per handle, as they happen
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_HOLDERS_H_
