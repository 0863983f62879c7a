// The names that are live at one point of a walk backwards: the next reader of each, the bytes in
// which it lies, and the number of live bytes per bank.
#ifndef PTEPROOF_PROPERTIES_CHECKS_LIVE_SET_H_
#define PTEPROOF_PROPERTIES_CHECKS_LIVE_SET_H_

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "properties/checks/live_bytes.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

class LiveSet {
 public:
  // `handles` may be null where no name is one. `alignment`: bytes that placements are rounded up
  // to, a power of two.
  LiveSet(const MethodFlow& flow, const Handles* handles, uint64_t alignment);

  // Forgets all names, but keeps the measured maxima.
  void Clear();
  // Something reads the name after `at`.
  void Enliven(LiveName n, Point at);
  // Something makes the name: before that, nobody wants it.
  void Kill(int32_t name);
  // The loss of the name was reported. It stays live, but a write before that point does not meet
  // it again.
  void Evict(int32_t name);

  [[nodiscard]] bool IsLive(int32_t name) const { return At(name).live; }
  [[nodiscard]] bool IsEvicted(int32_t name) const { return At(name).evicted; }
  [[nodiscard]] int32_t ReaderOf(int32_t name) const { return At(name).reader; }

  [[nodiscard]] bool HasHandles() const { return handles_ != nullptr; }
  [[nodiscard]] bool IsHandle(int32_t name) const {
    return HasHandles() && handles_->IsHandle(name);
  }
  // Names that lie in these bytes, as rounded; some perhaps twice.
  [[nodiscard]] std::span<const int32_t> Meet(const Place& place);
  // Names that lie in the caller's memory of an unplanned value: that value, and handles to it.
  [[nodiscard]] std::span<const int32_t> MeetUnplanned(int32_t holder);
  // The value in whose bytes a live name meets `place`; the name itself when it does not.
  [[nodiscard]] int32_t HolderIn(int32_t name, const Place& place) const;
  // The values in whose bytes a name lies just before `at`.
  [[nodiscard]] std::vector<int32_t> HoldersAt(int32_t name, Point at) const;

  // Counts the bytes that are live while an instruction runs: live names, and the results and
  // operands that do not live on.
  void MeasureDuring(int32_t instruction);
  // Counts all inputs besides the names that are live at the entry: the caller sets them before the
  // first instruction.
  void MeasureInputs();
  // Per memory id: the largest sum of live bytes, if the method's own state always lives.
  [[nodiscard]] const std::vector<uint64_t>& Load() const {
    return (held_ ? *held_ : live_).most();
  }
  // The same if state is dead from its last read to its store.
  [[nodiscard]] const std::vector<uint64_t>& LoadOfWanted() const { return live_.most(); }
  [[nodiscard]] uint64_t work() const {
    return live_.map().work() + (held_ ? held_->map().work() : 0) +
           (HasHandles() ? handles_->work() : 0);
  }

 private:
  struct Entry {
    bool live = false;
    bool evicted = false;
    int32_t reader = 0;
  };
  [[nodiscard]] const Entry& At(int32_t name) const { return entries_[static_cast<size_t>(name)]; }
  Entry& At(int32_t name) { return entries_[static_cast<size_t>(name)]; }
  [[nodiscard]] Place Reserved(int32_t name) const;
  void HoldState();
  // The places of a live name: its own, or those of the values in which it lies.
  [[nodiscard]] std::span<const Place> PlacesOf(int32_t name);
  void Map(int32_t name);
  void Unmap(int32_t name);
  // Whether the value lies in memory of the caller: each such piece is like a bank of its own.
  [[nodiscard]] bool IsBrought(int32_t holder) const;
  void CountHandle(int32_t name, int32_t instruction);
  void CountPlace(const Place& place);
  void NoteCounted();

  const MethodFlow& flow_;
  const Handles* handles_;
  uint64_t alignment_;
  LiveBytes live_;
  std::optional<LiveBytes>
      held_;  // with the method's own state, which always lives; none: no state
  std::vector<Entry> entries_;
  std::unordered_map<int32_t, std::vector<int32_t>> holders_of_;  // of live handles
  std::unordered_map<int32_t, std::vector<int32_t>> unplanned_;   // per brought holder: live names
  std::vector<int32_t> named_;  // became live since the last Clear, some perhaps twice
  std::vector<int32_t> met_;
  std::vector<Place> places_;   // of one name
  std::vector<Place> counted_;  // on top of what is live, within MeasureDuring
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_LIVE_SET_H_
