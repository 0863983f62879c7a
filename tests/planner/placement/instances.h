// Random items to place, and what can be said of a layout by looking at every byte range and every
// point: slow, and with nothing in common with the code under test.
#ifndef PTEPROOF_TESTS_PLANNER_PLACEMENT_INSTANCES_H_
#define PTEPROOF_TESTS_PLANNER_PLACEMENT_INSTANCES_H_

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::placement {

using Items = std::vector<Item<int64_t>>;

// What a random instance may contain.
struct InstanceKind {
  int most_items = 12;
  bool alignments = false;  // 1 to 64, mixed
  bool gaps = false;        // lives of several stretches, and of none
  bool empty = false;       // items of no bytes
  bool fixed = false;
  bool ties = false;
};

[[nodiscard]] inline InstanceKind Everything(int most_items) {
  return {most_items, true, true, true, true, true};
}

// Points lie in [0, 32), sizes in [0, 100]. Fixed items never meet each other.
[[nodiscard]] rc::Gen<Items> InstancesOf(const InstanceKind& kind);

// One line per item, for messages.
[[nodiscard]] std::string TextOf(const Items& items);

// Why the layout is none; empty: it is one.
[[nodiscard]] std::string WhyBad(const Items& items, const Layout<int64_t>& layout);

// The largest sum of live bytes at any point, of what is tied only the largest, nothing rounded.
[[nodiscard]] int64_t BruteLoad(const Items& items);

// The lowest peak of all layouts, by placing items without ties in every order, each at the lowest
// offset that is free between those that are fixed.
[[nodiscard]] int64_t BrutePeak(const Items& items);

// The same items in another order, ties renamed.
[[nodiscard]] Items Permuted(const Items& items, uint64_t seed);

}  // namespace pteproof::placement

#endif  // PTEPROOF_TESTS_PLANNER_PLACEMENT_INSTANCES_H_
