#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/map/facts.h"
#include "cli/map/svg_panel.h"
#include "cli/map/units.h"
#include "cli/map/xml.h"
#include "properties/picture/peak.h"

namespace pteproof {
namespace {

using picture::Part;
using picture::Storage;

constexpr double kLineHeight = 12;
constexpr double kPadding = 4;
constexpr size_t kMostNamed = 400;  // storages of a panel whose names are all drawn
constexpr size_t kLeastName = 4;    // a name that is cut shorter says nothing

// One name, and the room for it.
struct Label {
  Box room;
  std::string name;
  std::string size;  // bytes, where there is room for a second line
};

// At most that long: the number of a value stays when its operator's name is cut.
std::string Shortened(const std::string& name, size_t columns) {
  constexpr size_t kLeastStem = 4;
  const size_t space = name.rfind(" v");
  if (TextColumns(name) <= columns || space == std::string::npos) return Fitted(name, columns);
  const std::string number = name.substr(space + 1);
  if (columns < number.size() + 1 + kLeastStem) return Fitted(number, columns);
  return Fitted(name.substr(0, space), columns - number.size() - 1) + " " + number;
}

// Places for names that cover nothing, nor each other.
class LabelPlacer {
 public:
  explicit LabelPlacer(std::vector<Box> taken) : taken_(std::move(taken)) {}

  // Takes a free place of that size within a box: left, in the middle or right, and the same above
  // and below. False: there is none.
  bool Take(const Box& room, double width, double height, Box& place) {
    const double slack_x = room.width - width;
    const double slack_y = room.height - height;
    constexpr double kRounding = -0.01;
    if (slack_x < kRounding || slack_y < kRounding) return false;
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

class LabelDrawer {
 public:
  LabelDrawer(const MarkBoxes& marks, SvgWriter& out)
      : placer_(marks.numbers), hatched_(marks.hatched), out_(out) {}

  void Draw(const Label& label) {
    if (!DrawLevel(label)) DrawUpwards(label);
  }

  // Names there lie over hatching.
  void AddHatched(const Box& box) { hatched_.push_back(box); }

 private:
  bool DrawLevel(const Label& label) {
    const Box& room = label.room;
    if (room.height < kLineHeight || room.width < kLeastName * kSmallPitch) return false;
    const auto columns = static_cast<size_t>(room.width / kSmallPitch);
    const bool is_cut = TextColumns(label.name) > columns;
    if (is_cut && room.height > 2 * room.width) return false;  // upwards it shows more
    const std::string name = Shortened(label.name, columns);
    const bool has_size = room.height >= 2 * kLineHeight + 4 && label.size.size() <= columns;
    const size_t widest = std::max(TextColumns(name), has_size ? label.size.size() : 0);
    const double height = has_size ? 2 * kLineHeight : kLineHeight;
    Box place;
    if (!placer_.Take(room, static_cast<double>(widest) * kSmallPitch, height, place)) return false;
    out_.Text(ClassesOf(place), place.x, place.y + kLineHeight - 2.5, name);
    if (!has_size) return true;
    out_.Text(ClassesOf(place) + " s", place.x, place.y + 2 * kLineHeight - 2.5, label.size);
    return true;
  }

  void DrawUpwards(const Label& label) {
    constexpr double kPitchAcross = kLineHeight - 1;
    const Box& room = label.room;
    const double width = room.width + 2 * kPadding;
    const double height = room.height - 2 * kPadding;
    if (width < kPitchAcross || height < kLeastName * kSmallPitch) return;
    const std::string name = Shortened(label.name, static_cast<size_t>(height / kSmallPitch));
    const double length = static_cast<double>(TextColumns(name)) * kSmallPitch;
    const Box middle = {room.x - kPadding + (width - kPitchAcross) / 2, room.y + kPadding,
                        kPitchAcross, height};
    Box place;
    if (!placer_.Take(middle, kPitchAcross, length, place)) return;
    out_.TextUpwards(ClassesOf(place), place.x + kPitchAcross - 2, place.y + length, name);
  }

  [[nodiscard]] std::string ClassesOf(const Box& place) const {
    const bool is_over =
        std::ranges::any_of(hatched_, [&](const Box& box) { return box.Meets(place); });
    return is_over ? "mono l halo" : "mono l";
  }

  LabelPlacer placer_;
  std::vector<Box> hatched_;
  SvgWriter& out_;
};

Box RoomOf(const PlotBox& plot, uint64_t lo, uint64_t hi, const PointSpan& span) {
  const double x = plot.X(span.lower) + kPadding;
  return {x, plot.Y(hi), plot.X(span.upper) - kPadding - x, plot.Y(lo) - plot.Y(hi)};
}

// What begins a stretch of a storage's life: on another path it may be another value.
std::string NameOfSpan(const Storage& storage, const PointSpan& span,
                       const picture::MethodAxis& axis) {
  const auto begins = std::ranges::find_if(storage.parts, [&](const Part& part) {
    return part.live.front().lower == span.lower && part.name.empty();
  });
  const bool is_first = span.lower == storage.live.front().lower;
  if (is_first || begins == storage.parts.end()) return LabelOf(storage, axis);
  return LabelOf(*begins, axis);
}

struct NamedSpan {
  PointSpan span;
  std::string name;
};

// A stretch of a storage's life, and each result in place within it, by name.
std::vector<NamedSpan> PiecesOf(const Storage& storage, const PointSpan& span,
                                const picture::MethodAxis& axis) {
  std::vector<NamedSpan> pieces = {{span, NameOfSpan(storage, span, axis)}};
  for (const Part& part : storage.parts) {
    const int64_t begin = part.live.front().lower;
    const bool is_within = pieces.back().span.lower < begin && begin < span.upper;
    if (part.how != picture::How::kInPlace || !is_within) continue;
    pieces.back().span.upper = begin;
    pieces.push_back({{begin, span.upper}, part.name.empty() ? LabelOf(part, axis) : part.name});
  }
  return pieces;
}

// Those that are in use at the peak, and those that findings are about.
std::set<const Storage*> ThoseThatMatter(const picture::Panel& panel) {
  std::set<const Storage*> storages;
  for (const size_t s : StoragesAt(panel, PeakOf(panel))) storages.insert(&panel.storages[s]);
  for (const picture::Mark& mark : panel.marks) {
    for (const size_t s : mark.storages) storages.insert(&panel.storages[s]);
  }
  return storages;
}

// The storages that are drawn at all, the largest first. Of many only those that matter.
std::vector<const Storage*> LabelledStorages(const PanelView& view) {
  constexpr size_t kMostLabels = 1000;  // more are not to be read, and each looks at all others
  std::set<const Storage*> what_matters;
  if (view.panel.storages.size() > kMostNamed) what_matters = ThoseThatMatter(view.panel);
  std::vector<const Storage*> storages;
  for (const Storage& storage : view.panel.storages) {
    const bool matters = what_matters.empty() || what_matters.contains(&storage);
    if (matters && LargestArea(storage, view.plot) >= view.least_area) storages.push_back(&storage);
  }
  std::ranges::stable_sort(storages, std::ranges::greater(),
                           [&](const Storage* s) { return LargestArea(*s, view.plot); });
  storages.resize(std::min(storages.size(), kMostLabels));
  return storages;
}

}  // namespace

void DrawLabels(const PanelView& view, const MarkBoxes& marks, SvgWriter& out) {
  constexpr size_t kMostSpans = 16;
  LabelDrawer drawer(marks, out);
  for (const Storage* storage : LabelledStorages(view)) {
    const std::string size = BytesText(storage->hi - storage->lo);
    for (size_t s = 0; s < std::min(storage->live.size(), kMostSpans); ++s) {
      for (const NamedSpan& piece : PiecesOf(*storage, storage->live[s], view.axis)) {
        const Box room = RoomOf(view.plot, storage->lo, storage->hi, piece.span);
        if (piece.span.lower != storage->live[s].lower) drawer.AddHatched(room);
        drawer.Draw({room, Quote(piece.name), size});
      }
    }
  }
  for (const ByteRange& range : view.panel.use.phantoms) {
    const Box room = RoomOf(view.plot, range.lo, range.hi, view.plot.shown);
    drawer.AddHatched(room);
    drawer.Draw({room, "phantom", BytesText(range.hi - range.lo)});
  }
}

}  // namespace pteproof
