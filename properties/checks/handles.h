// Where a name lies that a move or an et_view made: in its sources' bytes, over all paths that
// reach it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_HANDLES_H_
#define PTEPROOF_PROPERTIES_CHECKS_HANDLES_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "properties/checks/liveness.h"
#include "properties/checks/name_events.h"

namespace pteproof::checks {

class Handles {
 public:
  // Propagates each handle through the blocks where it is live. O(pairs of block and live handle x
  // makes of that handle).
  Handles(const MethodFlow& flow, const NameEvents& events, const Liveness& live);

  // Whether some move or et_view makes this name.
  [[nodiscard]] bool IsHandle(int32_t name) const {
    return static_cast<size_t>(name) < is_handle_.size() && is_handle_[static_cast<size_t>(name)];
  }
  // Appends the values in whose bytes `name` lies just before `at`: itself when it is no handle.
  void HoldersAt(int32_t name, Point at, std::vector<int32_t>& holders) const;

 private:
  using Key = uint64_t;
  static Key KeyOf(int32_t block, int32_t name) {
    return (static_cast<uint64_t>(static_cast<uint32_t>(block)) << 32) |
           static_cast<uint32_t>(name);
  }
  int32_t BlockOf(Point at) const;
  void Propagate(const Liveness& live);

  const MethodFlow& flow_;
  const NameEvents& events_;
  std::vector<bool> is_handle_;
  // Per block and handle: the makes (points) that reach the block's start.
  std::unordered_map<Key, std::vector<const Make*>> reaching_;
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_HANDLES_H_
