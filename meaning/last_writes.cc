#include "meaning/last_writes.h"

#include <algorithm>

namespace pteproof::meaning {

void LastWrites::SetAtEntry(int32_t v, bool is_there) {
  at_entry_.resize(roles_.of.size());
  at_entry_[static_cast<size_t>(v)] = is_there;
}

int32_t LastWrites::Before(int32_t v, int32_t use) {
  const auto at = static_cast<size_t>(v);
  const bool is_there = roles_.of[at] == Role::kInput || roles_.of[at] == Role::kState ||
                        (!at_entry_.empty() && at_entry_[at]);
  const int32_t before_all = is_there ? -1 : kNever;
  const Usage& usage = roles_.usage[at];
  if (usage.leaves_place_unmade()) return before_all;
  const int32_t last = LastOnPath(v, use);
  if (last != kNever) return last;
  const bool is_left_alone = writes_.Of(v).empty() && usage.first_write == 0 && use > 0;
  return is_left_alone ? 0 : before_all;
}

int32_t LastWrites::LastOnPath(int32_t v, int32_t use) {
  const auto writes = writes_.Of(v);
  for (auto at = std::ranges::lower_bound(writes, use); at != writes.begin() && work_.Spend(1);) {
    if (!IsOnOtherPath(*--at, use)) return *at;
  }
  return kNever;
}

bool LastWrites::IsOnOtherPath(int32_t write, int32_t later) {
  if (write < 0 || graph_.blocks.size() == 1) return false;
  const auto count = static_cast<int32_t>(graph_.block_of.size());
  const int32_t goal = graph_.BlockOf(std::min(later, count - 1));
  if (!graph_.blocks[static_cast<size_t>(goal)].reachable) return false;
  if (goal != paths_.goal() && !work_.Spend(graph_.blocks.size())) return false;
  return !paths_.LeadTo(goal, graph_.BlockOf(write));
}

bool LastWrites::IsMadeInOtherBranches(int32_t v, int32_t use) {
  const Usage& usage = roles_.usage[static_cast<size_t>(v)];
  const bool is_made = roles_.of[static_cast<size_t>(v)] == Role::kLocal && !usage.exposed() &&
                       usage.first_write >= 0 && usage.first_write < use;
  return is_made && LastOnPath(v, use) == kNever;
}

}  // namespace pteproof::meaning
