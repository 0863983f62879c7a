#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/map/facts.h"
#include "cli/map/svg_panel.h"
#include "cli/map/units.h"
#include "cli/map/xml.h"

namespace pteproof {
namespace {

using picture::Storage;

constexpr double kLineHeight = 12;
constexpr double kPadding = 4;
constexpr size_t kLeastColumns = 4;  // a name that is cut shorter says nothing

// The span with the most room for a name.
const PointSpan& WidestSpan(const Storage& storage) {
  return *std::ranges::max_element(storage.live, {},
                                   [](const PointSpan& s) { return s.upper - s.lower; });
}

// Places for names that cover nothing, nor each other.
class LabelPlacer {
 public:
  explicit LabelPlacer(std::vector<Box> taken) : taken_(std::move(taken)) {}

  // A free place of that size within a box: left, in the middle or right, and the same above and
  // below. False: there is none.
  bool Place(const Box& room, double width, double height, Box& place) {
    const double slack_x = room.width - width;
    const double slack_y = room.height - height;
    if (slack_x < 0 || slack_y < 0) return false;
    for (const double down : {0.5, 0.0, 1.0}) {
      for (const double right : {0.0, 0.5, 1.0}) {
        place = {room.x + slack_x * right, room.y + slack_y * down, width, height};
        if (!IsFree(place)) continue;
        taken_.push_back(place);
        return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] bool IsFree(const Box& place) const {
    return std::ranges::none_of(taken_, [&](const Box& box) { return box.Meets(place); });
  }

  std::vector<Box> taken_;
};

// The name, and below it how large the storage is, where there is room for both.
void DrawLabel(const PanelView& view, const Storage& storage, LabelPlacer& placer, SvgWriter& out) {
  const PlotBox& plot = view.plot;
  const PointSpan& span = WidestSpan(storage);
  const double x = plot.X(span.lower) + kPadding;
  const double y = plot.Y(storage.hi);
  const Box room = {x, y, plot.X(span.upper) - kPadding - x, plot.Y(storage.lo) - y};
  if (room.height < kLineHeight || room.width < kLeastColumns * kSmallPitch) return;
  const auto columns = static_cast<size_t>(room.width / kSmallPitch);
  const std::string name = Fitted(Quote(LabelOf(storage, view.axis)), columns);
  const std::string size = BytesText(storage.hi - storage.lo);
  const bool has_size = room.height >= 2 * kLineHeight + 4 && size.size() <= columns;
  const size_t widest = std::max(TextColumns(name), has_size ? size.size() : 0);
  Box place;
  const double height = has_size ? 2 * kLineHeight : kLineHeight;
  if (!placer.Place(room, static_cast<double>(widest) * kSmallPitch, height, place)) return;
  out.Text("mono l", place.x, place.y + kLineHeight - 2.5, name);
  if (has_size) out.Text("mono l s", place.x, place.y + 2 * kLineHeight - 2.5, size);
}

}  // namespace

void DrawLabels(const PanelView& view, std::vector<Box> taken, SvgWriter& out) {
  constexpr size_t kMostLabels = 1000;  // more are not to be read, and each looks at all others
  std::vector<const Storage*> storages;
  for (const Storage& storage : view.panel.storages) {
    if (LargestArea(storage, view.plot) >= view.least_area) storages.push_back(&storage);
  }
  std::ranges::stable_sort(storages, std::ranges::greater(),
                           [&](const Storage* s) { return LargestArea(*s, view.plot); });
  storages.resize(std::min(storages.size(), kMostLabels));
  LabelPlacer placer(std::move(taken));
  for (const Storage* storage : storages) DrawLabel(view, *storage, placer, out);
}

}  // namespace pteproof
