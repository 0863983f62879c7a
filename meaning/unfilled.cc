#include "meaning/unfilled.h"

#include <algorithm>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof::meaning {

std::map<int32_t, std::vector<int32_t>> WritersOfFilled(const MethodFlow& flow) {
  std::map<int32_t, std::vector<int32_t>> writers;
  for (const Write& w : flow.effects.writes) {
    if (w.access == Access::kFill) writers.try_emplace(w.value);
  }
  if (writers.empty()) return writers;
  const auto note = [&](int32_t value, int32_t i) {
    const auto filled = writers.find(value);
    if (filled != writers.end()) filled->second.push_back(i);
  };
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) note(w.value, i);
  }
  for (const Rename& r : flow.effects.renames) note(r.to, r.instruction);
  for (auto& [value, list] : writers) std::ranges::sort(list);
  return writers;
}

bool IsReadUnfilled(const MethodFlow& flow, std::span<const int32_t> writers, int32_t reader) {
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

}  // namespace pteproof::meaning
