#include "cli/map/svg_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "cli/map/units.h"
#include "cli/map/xml.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

using picture::Panel;

// The fullest of these that fits.
std::string CaptionOf(const Panel& panel, double width) {
  const std::string size = BytesText(panel.use.size);
  const std::string load = ", live " + BytesText(panel.use.load);
  const std::string waste = fmt::format(", waste {}%", WastePercentOf(panel.use));
  const std::string phantom =
      panel.use.phantom > 0 ? fmt::format(", phantom {}", BytesText(panel.use.phantom)) : "";
  for (const std::string& caption :
       {size + load + waste + phantom, size + load + waste, size + load, size}) {
    if (static_cast<double>(caption.size()) * kSmallPitch <= width) return caption;
  }
  return "";
}

void DrawCaption(const PanelView& view, SvgWriter& out) {
  const Panel& panel = view.panel;
  const PlotBox& plot = view.plot;
  const double room = plot.width + kMapMargin - 4;
  const double y = plot.y - kPanelCaption;
  const auto columns = static_cast<size_t>(room / kCaptionPitch);
  const std::string stores =
      panel.use.early_stores > 0
          ? "\nearly stores may save " + ExactBytesText(panel.use.early_stores) + " besides"
          : "";
  out.Open("");
  out.Title(fmt::format(
      "method {}, bank {}\nsize {}\npeak {}\npeak live bytes {}\nwaste {}, {}%\nphantom {}{}",
      view.axis.name, view.bank.id, ExactBytesText(panel.use.size), ExactBytesText(panel.use.peak),
      ExactBytesText(panel.use.load), ExactBytesText(WasteOf(panel.use)), WastePercentOf(panel.use),
      ExactBytesText(panel.use.phantom), stores));
  out.Text("mono b", plot.x, y + 12, Fitted(Quote(view.axis.name), columns));
  out.Text("mono a s", plot.x, y + 26, CaptionOf(panel, room));
  out.Close();
}

void DrawByteAxis(const PanelView& view, SvgWriter& out) {
  constexpr double kLeastDistance = 22;
  const PlotBox& plot = view.plot;
  const auto most = static_cast<int64_t>(plot.height / kLeastDistance);
  const double top = plot.Y(view.panel.use.size);
  for (const uint64_t tick : ByteTicks(plot.extent, most)) {
    const double y = plot.Y(tick);
    if (y >= top) out.Line("grid", plot.x, y, plot.x + plot.width, y);
    const bool near_size =
        view.has_byte_axis && std::abs(y - top) < 11 && tick != view.panel.use.size;
    if (near_size || !view.has_byte_axis) continue;
    out.Line("tick", plot.x - 4, y, plot.x, y);
    if (tick == view.panel.use.size) continue;
    out.Text("mono a s e", plot.x - 7, y + 3.5, tick == 0 ? "0" : BytesText(tick));
  }
  if (!view.has_byte_axis || view.panel.use.size == 0) return;
  out.Line("tick", plot.x - 4, top, plot.x, top);
  out.Text("mono a e", plot.x - 7, top + 3.5, BytesText(view.panel.use.size));
}

void DrawTimeAxis(const PanelView& view, SvgWriter& out) {
  const PlotBox& plot = view.plot;
  const double bottom = plot.y + plot.height;
  const double baseline = bottom + 15;
  const int64_t count = view.axis.instructions();
  const int64_t from = std::max<int64_t>(plot.shown.lower / 2, 0);
  const int64_t to = std::min(plot.shown.upper / 2, count);
  const bool has_entry = plot.shown.lower == PointSpan::kEntry;
  const bool has_exit = plot.shown.upper == view.axis.end();
  const double entry = plot.X(2 * from);
  const double exit = plot.X(2 * to);
  const double per_instruction =
      (exit - entry) / static_cast<double>(std::max<int64_t>(to - from, 1));
  const double room = static_cast<double>(fmt::formatted_size("{}", count)) * kSmallPitch;
  const int64_t step = TickStep((room + 8) / per_instruction);
  for (int64_t i = (from + step - 1) / step * step; i < to; i += step) {
    const double x = plot.X(2 * i + 1);
    out.Line("tick", x, bottom, x, bottom + 4);
    if (x + room / 2 < exit - 2) out.Text("mono a s c", x, baseline, fmt::to_string(i));
  }
  const double half = static_cast<double>(fmt::formatted_size("{}", 0)) * kSmallPitch / 2;
  const double first = count > 0 ? plot.X(1) - half - 6 : entry;
  const double top = plot.Y(view.panel.use.size);
  if (has_entry) out.Text("a s e", std::min(entry, first), baseline, "entry");
  if (has_exit) out.Text("a s", std::max(exit + 2, plot.x + plot.width - 22), baseline, "exit");
  if (has_entry) out.Line("grid", entry, top, entry, bottom);
  if (has_exit) out.Line("grid", exit, top, exit, bottom);
}

void DrawWaste(const PanelView& view, SvgWriter& out) {
  const Panel& panel = view.panel;
  const PlotBox& plot = view.plot;
  const auto area = [&](uint64_t lo, uint64_t hi) {
    return Box{plot.x, plot.Y(hi), plot.width, plot.Y(lo) - plot.Y(hi)};
  };
  if (view.axis.complete && panel.use.size > panel.use.load) {
    out.Open("");
    out.Title(fmt::format(
        "above the peak live bytes: {}\nA plan of these storages that wastes nothing ends "
        "at {}.",
        ExactBytesText(panel.use.size - panel.use.load), ExactBytesText(panel.use.load)));
    out.Rect("above", area(panel.use.load, panel.use.size));
    out.Close();
  }
  for (const ByteRange& range : panel.use.phantoms) {
    out.Open("");
    out.Title(fmt::format("phantom: bytes [{},{}), {}\nReserved, and touched by no instruction.",
                          range.lo, range.hi, ExactBytesText(range.hi - range.lo)));
    out.Rect("phantom", area(range.lo, range.hi));
    out.Close();
  }
}

void DrawLimits(const PanelView& view, SvgWriter& out) {
  const Panel& panel = view.panel;
  const PlotBox& plot = view.plot;
  const double top = plot.Y(panel.use.size);
  out.Rect("frame", {plot.x, top, plot.width, plot.y + plot.height - top});
  const auto limit = [&](std::string_view word, std::string_view meaning, uint64_t bytes) {
    out.Open("");
    out.Title(fmt::format("{}: {}\n{}", word, ExactBytesText(bytes), meaning));
    out.Line(word, plot.x, plot.Y(bytes), plot.x + plot.width, plot.Y(bytes));
    out.Close();
  };
  limit("size", "What the file reserves for this bank.", panel.use.size);
  if (view.axis.complete) limit("load", "The most bytes in use at a time.", panel.use.load);
}

}  // namespace

void DrawPanel(const PanelView& view, SvgWriter& out) {
  if (!view.panel.is_there) {
    const double y = view.plot.y - kPanelCaption + 12;
    const auto columns = static_cast<size_t>(view.plot.width / kCaptionPitch);
    out.Text("mono b s", view.plot.x, y, Fitted(Quote(view.axis.name), columns));
    out.Text("mono a s", view.plot.x, y + 14, fmt::format("no bank {}", view.bank.id));
    return;
  }
  DrawCaption(view, out);
  DrawByteAxis(view, out);
  DrawTimeAxis(view, out);
  DrawWaste(view, out);
  DrawStorages(view, out);
  DrawLimits(view, out);
  const MarkBoxes marks = DrawMarks(view, out);
  DrawLabels(view, marks, out);
  if (view.axis.complete) return;
  out.Text("s", view.plot.x + 8, view.plot.y + 18, "No lifetimes: the control flow is beyond");
  out.Text("s", view.plot.x + 8, view.plot.y + 33, "the limit on work.");
}

}  // namespace pteproof
