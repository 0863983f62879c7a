#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "cli/map/crowd.h"
#include "cli/map/facts.h"
#include "cli/map/svg_panel.h"

namespace pteproof {
namespace {

using picture::How;
using picture::Kind;
using picture::Part;
using picture::Storage;

constexpr double kThin = 2.5;   // pixels below which an outline would hide the inside
constexpr double kLegible = 5;  // pixels that a part must have to be drawn on its own
constexpr double kCell = 2;     // pixels of a crowd's cells

Box BoxOf(const PlotBox& plot, uint64_t lo, uint64_t hi, const PointSpan& span) {
  constexpr double kLeast = 1;  // what is there is seen
  const double x = plot.X(span.lower);
  const double y = plot.Y(hi);
  return {x, y, std::max(plot.X(span.upper) - x, kLeast), std::max(plot.Y(lo) - y, kLeast)};
}

bool IsShown(const PlotBox& plot, const PointSpan& span) {
  return span.lower < plot.shown.upper && plot.shown.lower < span.upper;
}

bool IsLegible(const Box& box) {
  return box.width >= kLegible && box.height >= kLegible;
}

// What an operator wrote over its operand, and names of a part of the bytes or of the time.
void DrawPart(const PlotBox& plot, const Storage& storage, const Part& part, SvgWriter& out) {
  const bool is_whole = part.lo == storage.lo && part.hi == storage.hi;
  for (const PointSpan& span : part.live) {
    const Box box = BoxOf(plot, part.lo, part.hi, span);
    if (!IsShown(plot, span) || !IsLegible(box)) continue;
    if (part.how == How::kInPlace) {
      out.Rect("place", box);
      out.Line("start", box.x, box.y, box.x, box.y + box.height);
    } else if (!is_whole || part.how == How::kView) {
      out.Rect("view", {box.x + 1.5, box.y + 1.5, box.width - 3, box.height - 3});
    }
  }
}

void DrawParts(const PanelView& view, const Storage& storage, SvgWriter& out) {
  constexpr size_t kMostParts = 32;
  if (storage.parts.size() < 2) return;
  for (size_t p = 0; p < std::min(storage.parts.size(), kMostParts); ++p) {
    const Part& part = storage.parts[p];
    if (p == 0 && part.lo == storage.lo && part.hi == storage.hi) continue;
    out.Open("");
    out.Title(FactsOf(part, view.axis));
    DrawPart(view.plot, storage, part, out);
    out.Close();
  }
}

// Where what stood there before is written again.
void DrawWrites(const PlotBox& plot, const Storage& storage, SvgWriter& out) {
  constexpr double kLeastStep = 3;
  double last = -kLeastStep;
  for (const int32_t write : storage.writes) {
    const int64_t point = 2 * int64_t{write} + 1;
    const double x = plot.X(point);
    const bool is_within = std::ranges::any_of(storage.live, [&](const PointSpan& span) {
      return span.lower < point && point < span.upper;
    });
    const bool is_shown = IsShown(plot, {point, point + 1});
    if (!is_within || !is_shown || x - last < kLeastStep) continue;
    out.Line("write", x, plot.Y(storage.hi) + 1, x, plot.Y(storage.lo) - 1);
    last = x;
  }
}

void DrawStorage(const PanelView& view, const Storage& storage, SvgWriter& out) {
  out.Open("");
  out.Title(FactsOf(storage, view.bank.id, view.axis));
  for (const PointSpan& span : storage.live) {
    if (!IsShown(view.plot, span)) continue;
    const Box box = BoxOf(view.plot, storage.lo, storage.hi, span);
    const bool is_thin = std::min(box.width, box.height) < kThin;
    out.Rect(fmt::format("{}{}", is_thin ? "t" : "k k", static_cast<int>(storage.kind)), box);
  }
  if (view.plot.Y(storage.lo) - view.plot.Y(storage.hi) >= kLegible) {
    DrawParts(view, storage, out);
    DrawWrites(view.plot, storage, out);
  }
  out.Close();
}

CellRange CellsOf(const PlotBox& plot, const Box& box) {
  const auto cell = [](double pixels) {
    return static_cast<size_t>(std::max(0.0, std::floor(pixels / kCell)));
  };
  const auto end = [&](double pixels) { return static_cast<size_t>(std::ceil(pixels / kCell)); };
  return {cell(box.x - plot.x), end(box.x + box.width - plot.x), cell(box.y - plot.y),
          end(box.y + box.height - plot.y)};
}

// Cells in rows of one kind, as paths.
void DrawCells(const PlotBox& plot, const std::vector<int8_t>& cells, size_t columns,
               SvgWriter& out) {
  std::vector<std::string> paths(picture::kKindCount);
  for (size_t at = 0; at < cells.size();) {
    const size_t row_end = (at / columns + 1) * columns;
    size_t end = at + 1;
    while (end < row_end && cells[end] == cells[at]) ++end;
    if (cells[at] >= 0) {
      const double x = plot.x + kCell * static_cast<double>(at % columns);
      const double y = plot.y + kCell * static_cast<double>(at / columns);
      const double width = std::min(kCell * static_cast<double>(end - at), plot.x + plot.width - x);
      const std::string w = Pixels(width);
      fmt::format_to(std::back_inserter(paths[static_cast<size_t>(cells[at])]), "M{} {}h{}v{}h-{}z",
                     Pixels(x), Pixels(y), w, Pixels(kCell), w);
    }
    at = end;
  }
  for (size_t kind = 0; kind < paths.size(); ++kind) {
    if (!paths[kind].empty()) out.Path(fmt::format("k{} crowd fill", kind), paths[kind]);
  }
}

void DrawCrowd(const PanelView& view, const std::vector<const Storage*>& storages, SvgWriter& out) {
  const PlotBox& plot = view.plot;
  const auto columns = static_cast<size_t>(std::ceil(plot.width / kCell));
  const auto rows = static_cast<size_t>(std::ceil(plot.height / kCell));
  Crowd crowd(columns, rows);
  for (const Storage* storage : storages) {
    for (const PointSpan& span : storage->live) {
      if (!IsShown(plot, span)) continue;
      crowd.Add(storage->kind, CellsOf(plot, BoxOf(plot, storage->lo, storage->hi, span)));
    }
  }
  out.Open("");
  out.Title(fmt::format("{} storages that are too small to be drawn one by one", storages.size()));
  DrawCells(plot, crowd.Cells(), columns, out);
  out.Close();
}

}  // namespace

double LargestArea(const Storage& storage, const PlotBox& plot) {
  double largest = 0;
  for (const PointSpan& span : storage.live) {
    const Box box = BoxOf(plot, storage.lo, storage.hi, span);
    largest = std::max(largest, box.width * box.height);
  }
  return largest;
}

void DrawStorages(const PanelView& view, SvgWriter& out) {
  std::vector<const Storage*> crowd;
  std::vector<const Storage*> drawn;
  for (const Storage& storage : view.panel.storages) {
    const bool is_small = LargestArea(storage, view.plot) < view.least_area;
    (is_small ? crowd : drawn).push_back(&storage);
  }
  // What is reserved lies below what is used, large storages below small ones.
  std::ranges::stable_sort(drawn, std::ranges::greater(), [&](const Storage* s) {
    return std::pair(s->kind == Kind::kReserved, LargestArea(*s, view.plot));
  });
  if (!crowd.empty()) DrawCrowd(view, crowd, out);
  for (const Storage* storage : drawn) DrawStorage(view, *storage, out);
}

}  // namespace pteproof
