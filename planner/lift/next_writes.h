// For instructions that are gone through from the last one to the first: which write of a range of
// bytes comes next.
#ifndef PTEPROOF_PLANNER_LIFT_NEXT_WRITES_H_
#define PTEPROOF_PLANNER_LIFT_NEXT_WRITES_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "planner/lift/byte_owners.h"

namespace pteproof::planner {

class NextWrites {
 public:
  static constexpr int32_t kNone = std::numeric_limits<int32_t>::max();

  // Of these ranges alone, which may meet.
  explicit NextWrites(const std::vector<BankBytes>& ranges);

  // O(log n). Instructions descend from call to call.
  void Write(const BankBytes& bytes, int32_t instruction);
  // The first instruction of those that write any of the bytes. O(log n).
  [[nodiscard]] int32_t Of(const BankBytes& bytes) const;

 private:
  // From the leaf with the first byte to that behind the last one.
  [[nodiscard]] std::pair<size_t, size_t> LeavesOf(const BankBytes& bytes) const;

  using Point = std::pair<uint32_t, uint64_t>;  // a byte of a bank
  std::vector<Point> points_;                   // at which ranges begin or end, ascending
  size_t leaves_ = 1;                           // a power of two
  // A tree, from its root on: node n is above nodes 2n and 2n + 1, and the leaves are the last
  // ones. The first write of some bytes below a node, and the first one of all of them.
  std::vector<int32_t> any_;
  std::vector<int32_t> all_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LIFT_NEXT_WRITES_H_
