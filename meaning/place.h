// Where bytes lie in the banks.
#ifndef PTEPROOF_MEANING_PLACE_H_
#define PTEPROOF_MEANING_PLACE_H_

#include <algorithm>
#include <cstdint>

namespace pteproof::meaning {

// Bytes [lo, hi) of a bank; bank 0: no planned bytes.
struct Place {
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;

  [[nodiscard]] bool empty() const { return bank == 0 || lo == hi; }
  [[nodiscard]] bool Meets(const Place& other) const {
    return bank == other.bank && lo < other.hi && other.lo < hi && !empty() && !other.empty();
  }
  [[nodiscard]] bool Holds(const Place& other) const {
    return bank == other.bank && lo <= other.lo && other.hi <= hi;
  }
  bool operator==(const Place&) const = default;
};

// The bytes that two places have in common; they meet.
[[nodiscard]] inline Place Common(const Place& a, const Place& b) {
  return {a.bank, std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PLACE_H_
