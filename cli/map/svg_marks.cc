#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/finding_names.h"
#include "cli/map/svg_panel.h"
#include "cli/map/units.h"

namespace pteproof {
namespace {

using picture::Mark;
using picture::Storage;

constexpr double kBadge = 7.5;  // radius of a number's circle

Box MarkedBox(const PlotBox& plot, uint64_t lo, uint64_t hi, const PointSpan& span) {
  constexpr double kLeast = 4;  // it must be seen
  const double x = plot.X(span.lower);
  const double y = plot.Y(hi);
  return {x, y, std::max(plot.X(span.upper) - x, kLeast), std::max(plot.Y(lo) - y, kLeast)};
}

std::string MarkText(const Finding& finding, const Mark& mark, const PanelView& view) {
  const std::string where =
      mark.elsewhere ? fmt::format("'{}' lays out the same state here\n", view.axis.name) : "";
  return fmt::format("{} {}: bank {} [{},{}), instructions {}\n{}{}", Name(finding.severity),
                     finding.rule, view.bank.id, mark.lo, mark.hi, LifeText(mark.at, view.axis),
                     where, finding.explanation);
}

void DrawMark(const PanelView& view, const Mark& mark, SvgWriter& out) {
  const PlotBox& plot = view.plot;
  const Finding& finding = view.findings[mark.finding];
  const std::string open = finding.undecided ? " open" : "";
  out.Open("");
  out.Title(MarkText(finding, mark, view));
  for (const size_t s : mark.storages) {
    const Storage& storage = view.panel.storages[s];
    for (const PointSpan& span : storage.live) {
      out.Rect(fmt::format("mark{}{}", mark.elsewhere ? " there" : "", open),
               MarkedBox(plot, storage.lo, storage.hi, span));
    }
  }
  if (mark.hi > mark.lo) {
    if (mark.is_event) {
      out.Rect(finding.undecided ? "doubt" : "clash", MarkedBox(plot, mark.lo, mark.hi, mark.at));
    }
    out.Line("range" + open, plot.x - 1.5, plot.Y(mark.lo), plot.x - 1.5, plot.Y(mark.hi));
  }
  out.Close();
}

// Beside those that stand there already, and above the axis of time.
Box BadgeBox(const PlotBox& plot, const Mark& mark, const std::vector<Box>& taken) {
  const Box marked = MarkedBox(plot, mark.lo, mark.hi, mark.at);
  const double most = plot.x + plot.width - 2 * kBadge;
  const double lowest = plot.y + plot.height - 2 * kBadge;
  Box box = {std::min(marked.x + 2, most), std::min(marked.y + 2, lowest), 2 * kBadge, 2 * kBadge};
  for (const Box& other : taken) {
    if (box.Meets(other)) box.x = std::min(other.x + 2 * kBadge + 2, most);
  }
  return box;
}

}  // namespace

MarkBoxes DrawMarks(const PanelView& view, SvgWriter& out) {
  MarkBoxes boxes;
  for (const Mark& mark : view.panel.marks) {
    DrawMark(view, mark, out);
    if (mark.is_event) boxes.hatched.push_back(MarkedBox(view.plot, mark.lo, mark.hi, mark.at));
  }
  for (const Mark& mark : view.panel.marks) {
    const int number = view.number_of[mark.finding];
    if (number == 0) continue;
    const Box box = BadgeBox(view.plot, mark, boxes.numbers);
    out.Circle(view.findings[mark.finding].undecided ? "badge-open" : "badge", box.x + kBadge,
               box.y + kBadge, kBadge);
    out.Text("n", box.x + kBadge, box.y + kBadge + 3.6, fmt::to_string(number));
    boxes.numbers.push_back(box);
  }
  return boxes;
}

}  // namespace pteproof
