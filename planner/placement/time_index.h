// Which of the items placed so far share a time point with another one. The only place where
// placement looks at lifetimes, which are numbers also where sizes are symbols.
#ifndef PTEPROOF_PLANNER_PLACEMENT_TIME_INDEX_H_
#define PTEPROOF_PLANNER_PLACEMENT_TIME_INDEX_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::placement {

// Whether two lives, each ascending and disjoint, share a point.
[[nodiscard]] bool Overlap(std::span<const Span> a, std::span<const Span> b);

// The points of either life, ascending and disjoint.
[[nodiscard]] std::vector<Span> UnionOf(std::span<const Span> a, std::span<const Span> b);

// From the first to the last point of a life, gaps included; a life of nothing stays so.
[[nodiscard]] std::vector<Span> HullOf(std::span<const Span> live);

class TimeIndex {
 public:
  // The lives of all items that will ever be asked about. O(n log n).
  explicit TimeIndex(std::span<const std::vector<Span>> lives);

  // From now on the item counts. O(log n) a span.
  void Add(int32_t item);
  // Sets `out` to all counted items that share a point with `item`, each once, itself left out, in
  // an order that only the lives decide. O(log n + what is found) where few lives are long.
  void Conflicts(int32_t item, std::vector<int32_t>& out);
  // Per item: with how many spans of all items its own spans share points, itself included.
  [[nodiscard]] std::vector<int64_t> CountAll() const;

 private:
  static constexpr size_t kBlock = 16;

  void FindBefore(size_t end, int64_t after, std::vector<int32_t>& out);
  void ScanBlock(size_t block, size_t end, int64_t after, std::vector<int32_t>& out);

  std::vector<std::vector<Span>> lives_;  // per item
  // All spans, ascending by lower end, then upper end, then item.
  std::vector<int64_t> lower_;
  std::vector<int64_t> upper_;  // of those that do not count yet: below every point
  std::vector<int32_t> item_;
  std::vector<std::vector<size_t>> at_;  // per item: where its spans stand in these
  // A binary tree over blocks of them: the last upper end below each node. Leaves from leaves_ on.
  std::vector<int64_t> last_;
  size_t leaves_ = 1;
  std::vector<uint32_t> seen_;  // per item: the last question that found it
  uint32_t question_ = 0;
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_TIME_INDEX_H_
