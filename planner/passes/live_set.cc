#include "planner/passes/live_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pteproof::planner {

LiveSet Normal(LiveSet spans) {
  std::ranges::sort(spans, {}, [](const Span& s) { return std::pair(s.lower, s.upper); });
  LiveSet joined;
  for (const Span& span : spans) {
    if (span.lower >= span.upper) continue;
    if (joined.empty() || joined.back().upper < span.lower) {
      joined.push_back(span);
    } else {
      joined.back().upper = std::max(joined.back().upper, span.upper);
    }
  }
  return joined;
}

bool Intersect(const LiveSet& a, const LiveSet& b) {
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].lower < b[k].upper && b[k].lower < a[i].upper) return true;
    if (a[i].upper <= b[k].upper) {
      ++i;
    } else {
      ++k;
    }
  }
  return false;
}

LiveSet Union(const LiveSet& a, const LiveSet& b) {
  LiveSet both = a;
  both.insert(both.end(), b.begin(), b.end());
  return Normal(std::move(both));
}

}  // namespace pteproof::planner
