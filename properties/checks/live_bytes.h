// The bytes of each bank in which some name is live, and the most of them that were live at once.
#ifndef PTEPROOF_PROPERTIES_CHECKS_LIVE_BYTES_H_
#define PTEPROOF_PROPERTIES_CHECKS_LIVE_BYTES_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "properties/checks/byte_map.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

class LiveBytes {
 public:
  explicit LiveBytes(size_t banks) : most_(banks), spare_(banks) {}

  // The name lies in one of these places at a time. Of those in the first one's bank only the
  // largest counts.
  void Insert(int32_t name, std::span<const Place> places);
  // The same places as inserted.
  void Remove(int32_t name, std::span<const Place> places);
  // Forgets all names in a bank, but keeps the measured maximum.
  void Clear(uint32_t bank);
  // Counts these places besides, each byte once. They are sorted by bank and first byte.
  void CountBesides(std::span<const Place> places);

  [[nodiscard]] const ByteMap& map() const { return map_; }
  // Per memory id.
  [[nodiscard]] const std::vector<uint64_t>& most() const { return most_; }

 private:
  // Bytes of a name's places beyond the largest.
  struct Spare {
    uint32_t bank = 0;
    uint64_t bytes = 0;
  };

  void Note(uint32_t bank, uint64_t besides);

  ByteMap map_;
  std::vector<uint64_t> most_;   // per memory id
  std::vector<uint64_t> spare_;  // likewise: of all names
  std::unordered_map<int32_t, Spare> spare_of_;
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_LIVE_BYTES_H_
