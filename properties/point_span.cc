#include "properties/point_span.h"

#include <algorithm>

namespace pteproof {

std::vector<PointSpan> Merged(std::vector<PointSpan> spans) {
  std::ranges::sort(spans);
  std::vector<PointSpan> merged;
  for (const PointSpan& span : spans) {
    if (!merged.empty() && span.lower <= merged.back().upper) {
      merged.back().upper = std::max(merged.back().upper, span.upper);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

}  // namespace pteproof
