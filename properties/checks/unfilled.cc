#include "properties/checks/unfilled.h"

#include <algorithm>
#include <vector>

namespace pteproof::checks {
namespace {

// Ascending; nothing where none of them only fills a part.
std::vector<int32_t> WritersOf(const MethodFlow& flow, int32_t value) {
  std::vector<int32_t> writers;
  bool fills = false;
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.value != value) continue;
      writers.push_back(i);
      fills |= w.access == Access::kFill;
    }
  }
  for (const Rename& r : flow.effects.renames) {
    if (r.to == value) writers.push_back(r.instruction);
  }
  std::ranges::sort(writers);
  if (!fills) writers.clear();
  return writers;
}

}  // namespace

bool IsReadUnfilled(const MethodFlow& flow, int32_t value, int32_t reader) {
  const std::vector<int32_t> writers = WritersOf(flow, value);
  if (writers.empty()) return false;
  std::vector<bool> seen(flow.graph.blocks.size());
  std::vector<size_t> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const Block& block = flow.graph.blocks[open.back()];
    open.pop_back();
    const auto writer = std::ranges::lower_bound(writers, block.begin);
    const int32_t end = writer == writers.end() ? block.end : std::min(block.end, *writer);
    if (reader >= block.begin && reader < end) return true;
    if (end < block.end) continue;
    if (block.exits && reader >= flow.instruction_count()) return true;
    for (const int32_t next : block.successors) {
      if (seen[static_cast<size_t>(next)]) continue;
      seen[static_cast<size_t>(next)] = true;
      open.push_back(static_cast<size_t>(next));
    }
  }
  return false;
}

}  // namespace pteproof::checks
