// Idea. Code is cut into blocks at jumps and their targets. Within a block the walk looks up the
// last write before the use; if there is none, it goes on into all predecessors, each of them once.
//
// Invariant: a block is in `seen_` if and only if the memory is in use at its end, and its span is
// recorded or still to be visited. Cost: O(log kills) for a use within a block, and one further
// step for each block that the memory lives through. A dense bit matrix would cost values x blocks
// instead.
#include "planner/passes/backward_walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "planner/planted.h"

namespace pteproof::planner {
namespace {

int32_t BlockOf(const std::vector<Block>& blocks, int32_t step) {
  const auto after = std::ranges::upper_bound(blocks, step, {}, &Block::first);
  return static_cast<int32_t>(after - blocks.begin()) - 1;
}

}  // namespace

std::vector<Block> BlocksOf(int32_t count, std::span<const Jump> jumps) {
  std::vector<bool> begins(static_cast<size_t>(count) + 1);
  begins.front() = begins.back() = true;
  for (const Jump& jump : jumps) {
    begins[static_cast<size_t>(jump.at) + 1] = begins[static_cast<size_t>(jump.target)] = true;
  }
  std::vector<Block> blocks;
  for (int32_t s = 0; s <= count; ++s) {
    if (begins[static_cast<size_t>(s)]) blocks.push_back({.first = s, .last = s});
    blocks.back().last = s;
  }
  size_t next = 0;  // of the jumps
  for (int32_t b = 0; b + 1 < static_cast<int32_t>(blocks.size()); ++b) {
    const Block& block = blocks[static_cast<size_t>(b)];
    const bool jumps_on = next < jumps.size() && jumps[next].at == block.last;
    bool falls_through = true;
    if (jumps_on) {
      const Jump& jump = jumps[next++];
      falls_through = !jump.always;
      if (jump.target <= block.first || !Planted(Defect::kBranchesNotJoined)) {
        blocks[static_cast<size_t>(BlockOf(blocks, jump.target))].predecessors.push_back(b);
      }
    }
    if (falls_through) blocks[static_cast<size_t>(b) + 1].predecessors.push_back(b);
  }
  return blocks;
}

void BackwardWalk::Use(int32_t step, int64_t upper) {
  Within(BlockOf(blocks_, step), step, upper);
  while (!to_do_.empty()) {
    const int32_t block = to_do_.back();
    to_do_.pop_back();
    const int32_t last = blocks_[static_cast<size_t>(block)].last;
    Within(block, last + 1, 2 * (int64_t{last} + 1));
  }
}

// Wanted in a block up to `upper`, and from the last kill before `step` on.
void BackwardWalk::Within(int32_t block, int32_t step, int64_t upper) {
  const int32_t first = blocks_[static_cast<size_t>(block)].first;
  const auto after = std::ranges::lower_bound(kills_, step);
  if (after != kills_.begin() && *std::prev(after) >= first) {
    spans_.push_back({2 * int64_t{*std::prev(after)} + 1, upper});
    return;
  }
  spans_.push_back({block == 0 ? -1 : 2 * int64_t{first}, upper});
  if (seen_.empty()) seen_.resize(blocks_.size());
  for (const int32_t before : blocks_[static_cast<size_t>(block)].predecessors) {
    if (seen_[static_cast<size_t>(before)] || (before >= block && !rounds_)) continue;
    seen_[static_cast<size_t>(before)] = true;
    to_do_.push_back(before);
  }
}

LiveSet BackwardWalk::Take() {
  return Normal(std::move(spans_));
}

}  // namespace pteproof::planner
