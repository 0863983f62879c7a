#include "cli/map/layout.h"

#include <algorithm>
#include <set>

namespace pteproof {
namespace {

using picture::MethodAxis;
using picture::Panel;
using picture::Picture;
using picture::Storage;

constexpr double kLeastPage = 620;     // scaled to a phone's width, text stays legible
constexpr double kTextPage = 1000;     // fits a page of text without scaling
constexpr double kWidestPage = 1600;   // fits a screen
constexpr double kLeastPlot = 120;     // room for a caption
constexpr double kLargePlot = 800;     // of a large method, whatever stands beside it
constexpr double kRoomy = 26;          // for each instruction, up to the width of a page of text
constexpr double kPerInstruction = 3;  // beyond that
constexpr double kRowGap = 14;

// Byte numbers at which something begins or ends, up to `most`.
size_t LevelsOf(const picture::Bank& bank, size_t most) {
  std::set<uint64_t> levels;
  for (const Panel& panel : bank.panels) {
    levels.insert(panel.use.size);
    for (const Storage& storage : panel.storages) {
      levels.insert(storage.lo);
      levels.insert(storage.hi);
      if (levels.size() > most) return most;
    }
  }
  return levels.size();
}

// Few levels need little room.
double HeightOf(const picture::Bank& bank) {
  constexpr double kLeast = 64;
  constexpr double kPerLevel = 24;
  constexpr double kMost = 420;
  constexpr size_t kMostLevels = 18;
  return std::clamp(kPerLevel * static_cast<double>(LevelsOf(bank, kMostLevels)), kLeast, kMost);
}

uint64_t ExtentOf(const Panel& panel) {
  uint64_t extent = std::max<uint64_t>({panel.use.size, panel.use.peak, 1});
  for (const Storage& storage : panel.storages) extent = std::max(extent, storage.hi);
  return extent;
}

double PointsShown(const MethodAxis& axis) {
  const PointSpan shown = axis.Shown();
  return static_cast<double>(shown.upper - shown.lower);
}

// The methods share the room by their instructions, but each gets the least: who would get less
// leaves the rest to the others.
std::vector<double> WidthsOf(const Picture& picture, double room) {
  std::vector<double> widths(picture.methods.size(), 0);
  double points = 0;
  for (const MethodAxis& axis : picture.methods) points += PointsShown(axis);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t m = 0; m < widths.size(); ++m) {
      const double own = PointsShown(picture.methods[m]);
      if (widths[m] > 0 || room * own >= kLeastPlot * points) continue;
      widths[m] = kLeastPlot;
      room -= kLeastPlot;
      points -= own;
      changed = true;
    }
  }
  for (size_t m = 0; m < widths.size(); ++m) {
    if (widths[m] == 0) widths[m] = room * PointsShown(picture.methods[m]) / points;
  }
  return widths;
}

std::vector<PlotBox> ColumnsOf(const Picture& picture, double width) {
  const auto columns = static_cast<double>(std::max<size_t>(picture.methods.size(), 1));
  const std::vector<double> widths =
      WidthsOf(picture, width - 2 * kMapMargin - columns * kAxisWidth);
  std::vector<PlotBox> plots;
  double x = kMapMargin + kAxisWidth;
  for (size_t m = 0; m < widths.size(); ++m) {
    PlotBox& plot = plots.emplace_back();
    plot.x = x;
    plot.width = widths[m];
    plot.shown = picture.methods[m].Shown();
    x += plot.width + kAxisWidth;
  }
  return plots;
}

}  // namespace

double MapWidth(const Picture& picture) {
  double instructions = 0;
  for (const MethodAxis& axis : picture.methods) instructions += PointsShown(axis) / 2;
  const auto columns = static_cast<double>(std::max<size_t>(picture.methods.size(), 1));
  const double around = 2 * kMapMargin + columns * kAxisWidth;
  const double wanted = std::max(std::clamp(around + kRoomy * instructions, kLeastPage, kTextPage),
                                 std::min(around + kPerInstruction * instructions, kWidestPage));
  // Beside many small methods a large one keeps room.
  const double large = std::min(kLargePlot, kPerInstruction * instructions);
  return std::max(wanted, around + (columns - 1) * kLeastPlot + std::max(large, kLeastPlot));
}

MapLayout LayOut(const Picture& picture, double top) {
  MapLayout layout;
  const std::vector<PlotBox> columns = ColumnsOf(picture, MapWidth(picture));
  for (const picture::Bank& bank : picture.banks) {
    BankRow& row = layout.rows.emplace_back();
    row.top = top;
    row.plots = columns;
    uint64_t common = 1;
    for (const Panel& panel : bank.panels) common = std::max(common, ExtentOf(panel));
    const double height = HeightOf(bank);
    for (size_t m = 0; m < columns.size(); ++m) {
      row.plots[m].y = top + kRowTitle + kPanelCaption;
      row.plots[m].height = height;
      row.plots[m].extent = bank.shared ? common : ExtentOf(bank.panels[m]);
    }
    top += kRowTitle + kPanelCaption + height + kTimeAxis + kRowGap;
  }
  layout.bottom = top;
  return layout;
}

}  // namespace pteproof
