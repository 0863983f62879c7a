// Stretches of a method's time, in points: when bytes are in use.
#ifndef PTEPROOF_PROPERTIES_POINT_SPAN_H_
#define PTEPROOF_PROPERTIES_POINT_SPAN_H_

#include <compare>
#include <cstdint>
#include <vector>

namespace pteproof {

// Points from `lower` up to, and without, `upper`. Instruction i reads at 2i and writes at 2i + 1;
// the caller sets the inputs at kEntry.
struct PointSpan {
  static constexpr int64_t kEntry = -1;

  int64_t lower = 0;
  int64_t upper = 0;

  auto operator<=>(const PointSpan&) const = default;
};

// The same points in ascending, disjoint spans.
[[nodiscard]] std::vector<PointSpan> Merged(std::vector<PointSpan> spans);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_POINT_SPAN_H_
