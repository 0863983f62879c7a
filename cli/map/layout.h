// Where the parts of a picture stand on a page, in pixels: a column for each method, a row for each
// bank, so that what is shared lines up.
#ifndef PTEPROOF_CLI_MAP_LAYOUT_H_
#define PTEPROOF_CLI_MAP_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/picture/picture.h"

namespace pteproof {

// A panel's plot: time to the right, bytes upwards.
struct PlotBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  uint64_t extent = 0;  // bytes at the top
  PointSpan shown;      // the points at the left and the right edge

  // Of points beyond the edges, that of the edge.
  [[nodiscard]] double X(int64_t point) const {
    return x + width *
                   static_cast<double>(std::clamp(point, shown.lower, shown.upper) - shown.lower) /
                   static_cast<double>(shown.upper - shown.lower);
  }
  [[nodiscard]] double Y(uint64_t byte) const {
    return y + height * (1 - static_cast<double>(byte) / static_cast<double>(extent));
  }
};

struct BankRow {
  double top = 0;              // of its title
  std::vector<PlotBox> plots;  // one for each method
};

struct MapLayout {
  double bottom = 0;  // of the last row
  std::vector<BankRow> rows;
};

inline constexpr double kMapMargin = 24;     // around everything
inline constexpr double kAxisWidth = 66;     // of a byte axis, left of a plot
inline constexpr double kRowTitle = 24;      // above the captions
inline constexpr double kPanelCaption = 34;  // above a plot: its method, and how full it is
inline constexpr double kTimeAxis = 20;      // below a plot

// Of the page: grows with methods and, up to the width of a screen, with instructions.
[[nodiscard]] double MapWidth(const picture::Picture& picture);

// The rows begin at `top`.
[[nodiscard]] MapLayout LayOut(const picture::Picture& picture, double top);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_LAYOUT_H_
