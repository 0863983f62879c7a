// Idea: the exporter's numbering says before which instruction of the listing a name was made. If
// that instruction comes on every path to each use, it is the moment. If it lies in a branch beside
// a use, the name was made before the branch: at the end of the last block on every path to both.
//
//   block 0   ... v3 = ..            v5 is a view of v3, made before the first use of a number
//   block 1   v6 = ..                above 5, which stands in block 1
//   block 2   .. = add(v5, ..)       taken at the end of block 0, if block 1 may be jumped over
//
// Invariant: the moment lies on every path to each use, and is not behind it.
#include "meaning/births.h"

#include <algorithm>
#include <cstddef>

namespace pteproof::meaning {

Births::Births(const FlowGraph& graph) : graph_(graph) {
  if (!graph.straight()) dominators_.emplace(graph);
}

int32_t Births::LastOf(int32_t block) const {
  const Block& at = graph_.blocks[static_cast<size_t>(block)];
  return std::max(at.begin, at.end - 1);
}

int32_t Births::MomentOf(int32_t made, std::span<const BlockUse> uses) const {
  const BlockUse& first = uses.front();
  const int32_t begin = graph_.blocks[static_cast<size_t>(first.block)].begin;
  const int32_t near = std::min(std::max(made, begin), first.use);
  const bool is_reached =
      std::ranges::any_of(uses, [&](const BlockUse& use) { return IsReachable(use.block); });
  if (!dominators_ || !is_reached) return near;
  const int32_t block = graph_.BlockOf(made);
  int32_t common = IsReachable(block) ? block : -1;
  for (const BlockUse& use : uses) {
    if (!IsReachable(use.block)) continue;
    common = common < 0 ? use.block : dominators_->CommonOf(common, use.block);
  }
  const int32_t moment = common == block ? made : LastOf(common);
  const auto there = std::ranges::find(uses, common, &BlockUse::block);
  return there == uses.end() ? moment : std::min(moment, there->use);
}

}  // namespace pteproof::meaning
