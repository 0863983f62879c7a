#include "cli/map/svg_legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/map/facts.h"
#include "cli/map/layout.h"

namespace pteproof {
namespace {

using picture::How;
using picture::Kind;
using picture::Panel;
using picture::Part;
using picture::Picture;
using picture::Storage;

constexpr double kSwatchWidth = 18;
constexpr double kSwatchHeight = 11;

struct Entry {
  std::string_view word;
  std::string_view under;  // class of the swatch
  std::string_view over;   // class of what lies over it, or empty
  bool is_line = false;
};

constexpr std::array<Entry, picture::kKindCount> kKindEntries = {{
    {"state", "k k0", ""},
    {"input", "k k1", ""},
    {"output", "k k2", ""},
    {"intermediate", "k k3", ""},
    {"reserved, empty", "k k4", ""},
}};
constexpr Entry kInPlaceEntry = {"result in place", "k k3", "place"};
constexpr Entry kViewEntry = {"view or part", "k k3", "view"};
constexpr Entry kWriteEntry = {"written again", "k k0", "write"};
constexpr Entry kPhantomEntry = {"phantom bytes", "none", "phantom"};
constexpr Entry kAboveEntry = {"above the peak live bytes", "none", "above"};
constexpr Entry kLoadEntry = {"peak live bytes", "load", "", true};
constexpr Entry kSizeEntry = {"size of the bank", "size", "", true};
constexpr Entry kFindingEntry = {"finding, and the bytes at issue", "mark", "clash"};

// What occurs in a picture.
struct Seen {
  std::array<bool, picture::kKindCount> kinds{};
  bool in_place = false;
  bool view = false;
  bool write = false;
  bool phantom = false;
  bool above = false;
  bool finding = false;

  void Add(const Storage& storage) {
    kinds[static_cast<size_t>(storage.kind)] = true;
    write = write || (storage.kind == Kind::kState && !storage.writes.empty());
    for (const Part& part : storage.parts) {
      in_place = in_place || part.how == How::kInPlace;
      const bool is_whole = part.lo == storage.lo && part.hi == storage.hi;
      view = view || part.how == How::kView || !is_whole;
    }
  }
};

Seen SeenIn(const Picture& picture) {
  Seen seen;
  for (const picture::Bank& bank : picture.banks) {
    for (const Panel& panel : bank.panels) {
      for (const Storage& storage : panel.storages) seen.Add(storage);
      seen.phantom = seen.phantom || panel.use.phantom > 0;
      seen.above = seen.above || panel.use.size > panel.use.load;
      seen.finding = seen.finding || !panel.marks.empty();
    }
  }
  return seen;
}

std::vector<Entry> EntriesOf(const Seen& seen) {
  std::vector<Entry> entries;
  for (size_t kind = 0; kind < seen.kinds.size(); ++kind) {
    if (seen.kinds[kind]) entries.push_back(kKindEntries[kind]);
  }
  if (seen.in_place) entries.push_back(kInPlaceEntry);
  if (seen.view) entries.push_back(kViewEntry);
  if (seen.write) entries.push_back(kWriteEntry);
  if (seen.phantom) entries.push_back(kPhantomEntry);
  if (seen.above) entries.push_back(kAboveEntry);
  entries.push_back(kLoadEntry);
  entries.push_back(kSizeEntry);
  if (seen.finding) entries.push_back(kFindingEntry);
  return entries;
}

void DrawSwatch(const Entry& entry, double x, double y, SvgWriter& out) {
  const Box box = {x, y - kSwatchHeight + 1.5, kSwatchWidth, kSwatchHeight};
  if (entry.is_line) {
    out.Line(entry.under, x, y - 4, x + kSwatchWidth, y - 4);
    return;
  }
  if (entry.under != "none") out.Rect(entry.under, box);
  if (entry.over == "write") {
    const double middle = x + kSwatchWidth / 2;
    out.Line("write", middle, box.y + 1, middle, box.y + box.height - 1);
  } else if (entry.over == "view") {
    out.Rect("view", {box.x + 2.5, box.y + 2.5, box.width - 5, box.height - 5});
  } else if (!entry.over.empty()) {
    out.Rect(entry.over, box);
  }
}

}  // namespace

double DrawLegend(const Picture& picture, double y, double width, SvgWriter& out) {
  constexpr double kCharacter = 6.2;  // of proportional text, on the safe side
  constexpr double kLegendLine = 20;
  double x = kMapMargin;
  for (const Entry& entry : EntriesOf(SeenIn(picture))) {
    const double text = static_cast<double>(entry.word.size()) * kCharacter;
    if (x + kSwatchWidth + 6 + text > width - kMapMargin) {
      x = kMapMargin;
      y += kLegendLine;
    }
    DrawSwatch(entry, x, y, out);
    out.Text("s", x + kSwatchWidth + 6, y, entry.word);
    x += kSwatchWidth + 6 + text + 16;
  }
  return y + kLegendLine;
}

}  // namespace pteproof
