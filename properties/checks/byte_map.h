// Which names are live in which bytes of the banks, walking a listing backwards.
//
//   bank 1   0        32        64        96
//            +---------+---------+---------+
//            | v3, v5  |   v9    |         |
//            +---------+---------+---------+
//
// Names that share bytes on purpose (views, in-place results) stand in one segment; anything that
// is written into a segment meets the others in it.
#ifndef PTEPROOF_PROPERTIES_CHECKS_BYTE_MAP_H_
#define PTEPROOF_PROPERTIES_CHECKS_BYTE_MAP_H_

#include <cstdint>
#include <map>
#include <vector>

#include "properties/vocabulary.h"

namespace pteproof::checks {

// Disjoint segments per bank, each with the names live in it. Insertion, removal and the look for
// what meets a range cost O(log segments + segments in the range).
class ByteMap {
 public:
  void Insert(int32_t name, const Place& place);
  void Remove(int32_t name, const Place& place);
  // Appends the names in the range to `met`, some perhaps twice.
  void Meet(const Place& place, std::vector<int32_t>& met) const;
  // Bytes of the bank in which some name is live.
  [[nodiscard]] uint64_t LiveBytes(uint32_t bank) const {
    return bank < banks_.size() ? banks_[bank].live : 0;
  }
  // The same of a range.
  [[nodiscard]] uint64_t LiveBytesIn(const Place& place) const;
  // Segments looked at so far: the work done, for a limit on it.
  [[nodiscard]] uint64_t work() const { return work_; }
  // Forgets all names in a bank.
  void Clear(uint32_t bank) {
    if (bank < banks_.size()) banks_[bank] = {};
  }

 private:
  struct Segment {
    uint64_t hi = 0;
    int32_t first = -1;  // the common case: one name
    std::vector<int32_t> more;
  };
  using Segments = std::map<uint64_t, Segment>;
  struct Bank {
    Segments segments;
    uint64_t live = 0;  // bytes
  };

  Bank& BankOf(uint32_t bank);
  // Cuts the segment that holds `at` in two, so that none reaches across it.
  static void Split(Segments& segments, uint64_t at);
  static Segments::const_iterator FirstMeeting(const Segments& segments, uint64_t lo);

  std::vector<Bank> banks_;
  mutable uint64_t work_ = 0;
};

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_BYTE_MAP_H_
