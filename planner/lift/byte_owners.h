// The bytes of a method's banks, and the values whose writes may be there.
#ifndef PTEPROOF_PLANNER_LIFT_BYTE_OWNERS_H_
#define PTEPROOF_PLANNER_LIFT_BYTE_OWNERS_H_

#include <cstdint>
#include <map>
#include <vector>

namespace pteproof::planner {

// A range of a bank, by memory id.
struct BankBytes {
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;
  auto operator<=>(const BankBytes&) const = default;
};

[[nodiscard]] inline bool Meet(const BankBytes& a, const BankBytes& b) {
  return a.bank == b.bank && a.lo < b.hi && b.lo < a.hi;
}

// What was there before the method began.
inline constexpr int32_t kAtEntry = -1;

// Disjoint pieces per bank; bytes in none are kAtEntry's. Each change costs O(log pieces) and the
// pieces that it takes away or cuts.
class ByteOwners {
 public:
  using Owners = std::vector<int32_t>;  // ascending

  void Fill(const BankBytes& bytes, int32_t owner);
  // Its write may be there, or what was there before.
  void Add(const BankBytes& bytes, int32_t owner);
  // What may be there if either is: false if that is no more than this.
  bool AddAll(const ByteOwners& other);

  // Calls each(lo, hi, owners) for the pieces of a range, without gaps.
  template <class Each>
  void ForEach(const BankBytes& bytes, const Each& each) const {
    static const Owners kNothing = {kAtEntry};
    uint64_t at = bytes.lo;
    if (const auto bank = banks_.find(bytes.bank); bank != banks_.end()) {
      auto piece = bank->second.upper_bound(bytes.lo);
      if (piece != bank->second.begin()) --piece;
      for (; piece != bank->second.end() && piece->first < bytes.hi; ++piece) {
        if (piece->second.hi <= at) continue;
        if (at < piece->first) each(at, piece->first, kNothing);
        const uint64_t lo = at < piece->first ? piece->first : at;
        const uint64_t hi = piece->second.hi < bytes.hi ? piece->second.hi : bytes.hi;
        each(lo, hi, piece->second.owners);
        at = hi;
      }
    }
    if (at < bytes.hi) each(at, bytes.hi, kNothing);
  }

 private:
  struct Piece {
    uint64_t hi = 0;
    Owners owners;
  };
  using Pieces = std::map<uint64_t, Piece>;

  static void Cut(Pieces& pieces, uint64_t at);
  static void Cover(Pieces& pieces, uint64_t lo, uint64_t hi);

  std::map<uint32_t, Pieces> banks_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_BYTE_OWNERS_H_
