// The place of a name that a move or an et_view made: in the bytes of its sources, over all paths
// that reach it. A kernel that writes such a name writes these bytes too.
#ifndef PTEPROOF_MEANING_HANDLES_H_
#define PTEPROOF_MEANING_HANDLES_H_

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "meaning/liveness.h"
#include "meaning/name_events.h"

namespace pteproof::meaning {

// An operand or result that a move or an et_view made, with a value in whose bytes it lies.
struct MovedPlace {
  int32_t instruction = 0;
  int32_t value = 0;
  int32_t holder = 0;
  auto operator<=>(const MovedPlace&) const = default;
};

class Handles {
 public:
  // Propagates each handle's transfers through the blocks in which its place is wanted.
  explicit Handles(const MethodFlow& flow);

  // Whether some move or et_view makes this name.
  [[nodiscard]] bool IsHandle(int32_t name) const {
    return static_cast<size_t>(name) < is_handle_.size() && is_handle_[static_cast<size_t>(name)];
  }
  // Appends the values in whose bytes `name` lies just before `at`: itself if it is not a handle,
  // or on some path nothing has moved it yet.
  void HoldersAt(int32_t name, Point at, std::vector<int32_t>& holders) const;
  // Moves followed so far, in steps of a byte map (byte_map.h): the work done, for a limit on it.
  [[nodiscard]] uint64_t work() const { return work_; }

  static constexpr uint64_t kWorkPerMove = 8;  // to follow one costs about as much

 private:
  using Key = uint64_t;
  // A transfer that may have placed a name last; kAtHome: none has.
  using Cause = int32_t;
  static constexpr Cause kAtHome = -1;

  static Key KeyOf(int32_t block, int32_t name) {
    return (static_cast<uint64_t>(static_cast<uint32_t>(block)) << 32) |
           static_cast<uint32_t>(name);
  }
  [[nodiscard]] int32_t BlockOf(Point at) const;
  [[nodiscard]] const Transfer& TransferOf(Cause cause) const {
    return flow_.aliases.transfers[static_cast<size_t>(cause)];
  }
  // The last transfer to a name within a block and before a point; kAtHome when there is none.
  [[nodiscard]] Cause LastIn(int32_t block, int32_t name, Point at) const;
  // The only transfer that may have placed the one source of a transfer, if there is just one.
  [[nodiscard]] Cause OnlyCauseBefore(Cause cause) const;
  void ShortenChains();
  void FindWanted();
  void WantFrom(int32_t block, int32_t name);
  void Propagate();
  void PropagateFrom(int32_t block, int32_t name, Cause cause);

  const MethodFlow& flow_;
  std::vector<bool> is_handle_;
  std::unordered_map<int32_t, std::vector<Cause>> causes_of_;  // per handle, ascending
  std::unordered_map<Key, std::vector<Cause>> reaching_;       // at a block's start
  std::unordered_set<Key> wanted_;                             // likewise
  // Per transfer: where a chain of moves of moves begins, each with one source that one transfer
  // placed. Without it every read of a chain would follow all of it.
  std::vector<Cause> chain_start_;
  mutable uint64_t work_ = 0;
};

// Of all operands and results that are handles, ascending. None if the method has no handles.
[[nodiscard]] std::vector<MovedPlace> MovedPlacesOf(const MethodFlow& flow);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_HANDLES_H_
