#include "properties/picture/peak.h"

#include <algorithm>
#include <map>

namespace pteproof::picture {

int64_t PeakOf(const Panel& panel) {
  std::map<int64_t, int64_t> changes;
  for (const Storage& storage : panel.storages) {
    if (storage.kind == Kind::kReserved) continue;
    for (const PointSpan& span : storage.live) {
      changes[span.lower] += static_cast<int64_t>(storage.hi - storage.lo);
      changes[span.upper] -= static_cast<int64_t>(storage.hi - storage.lo);
    }
  }
  int64_t live = 0;
  int64_t most = 0;
  int64_t peak = PointSpan::kEntry;
  for (const auto& [point, change] : changes) {
    live += change;
    if (live > most) peak = point;
    most = std::max(most, live);
  }
  return peak;
}

std::vector<size_t> StoragesAt(const Panel& panel, int64_t point) {
  std::vector<size_t> storages;
  for (size_t s = 0; s < panel.storages.size(); ++s) {
    const bool is_live = std::ranges::any_of(panel.storages[s].live, [&](const PointSpan& span) {
      return span.lower <= point && point < span.upper;
    });
    if (is_live) storages.push_back(s);
  }
  return storages;
}

}  // namespace pteproof::picture
