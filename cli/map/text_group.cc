#include "cli/map/text_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/io/quote.h"
#include "cli/map/text_grid.h"
#include "cli/map/xml.h"

namespace pteproof {
namespace {

using picture::Bank;
using picture::Kind;
using picture::MethodAxis;
using picture::Panel;
using picture::Picture;
using picture::Storage;

constexpr size_t kMostRows = 24;
constexpr size_t kLeastPanel = 12;  // of a panel

std::string RangeText(const ByteRange& range) {
  return fmt::format("[{},{})", range.lo, range.hi);
}

// Spaces up to a width, whatever characters a name has.
std::string Padded(const std::string& text, size_t columns) {
  return text + std::string(columns - std::min(columns, TextColumns(text)), ' ');
}

size_t DrawnPointsOf(const MethodAxis& axis) {
  return static_cast<size_t>(axis.Shown().upper - axis.Shown().lower);
}

// A few columns a point where there is room, else all that there are, shared by time.
std::vector<size_t> WidthsOf(const Picture& picture, const std::vector<const Panel*>& panels,
                             size_t room) {
  constexpr size_t kMostPerPoint = 4;
  size_t points = 0;
  for (const Panel* panel : panels) {
    points += DrawnPointsOf(picture.methods[panel->method]);
  }
  const size_t borders = 3 * panels.size();
  const size_t inside = room > borders ? room - borders : 0;
  std::vector<size_t> widths;
  for (const Panel* panel : panels) {
    const size_t own = DrawnPointsOf(picture.methods[panel->method]);
    const size_t share = inside * own / points;
    widths.push_back(std::max(kLeastPanel, std::min(share, own * kMostPerPoint)));
  }
  return widths;
}

// Instructions below their columns, where there is room.
std::string RulerText(const MethodAxis& axis, size_t columns) {
  std::string ruler(columns, ' ');
  size_t free = 0;
  const PointSpan shown = axis.Shown();
  for (int64_t i = 0; i < axis.instructions(); ++i) {
    if (2 * i < shown.lower || 2 * i >= shown.upper) continue;
    const size_t at = TextColumn(2 * i, shown, columns);
    const std::string number = fmt::to_string(i);
    const bool is_round = 2 * columns > 3 * DrawnPointsOf(axis) || i % 10 == 0;
    if (!is_round || at < free || at + number.size() > columns) continue;
    ruler.replace(at, number.size(), number);
    free = at + number.size() + 1;
  }
  return ruler;
}

std::string CellsText(const std::string& cells, const Paint& paint) {
  std::string text;
  for (size_t at = 0; at < cells.size();) {
    const size_t end = std::min(cells.find_first_not_of(cells[at], at), cells.size());
    const std::string_view run = std::string_view(cells).substr(at, end - at);
    if (cells[at] == kClashCell) {
      text += paint(Colour::kRed, run);
    } else if (cells[at] == kPhantomCell) {
      text += paint(Colour::kYellow, run);
    } else {
      text += run;
    }
    at = end;
  }
  return text;
}

// "<" on the right at the end of the peak live bytes.
char BorderOf(const Panel& panel, const ByteRange& row) {
  return panel.use.load > row.lo && panel.use.load <= row.hi ? '<' : '|';
}

std::string WithoutBlanks(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

}  // namespace

bool IsReserved(const Storage& storage) {
  return storage.kind == Kind::kReserved;
}

std::vector<TextGroup> TextGroups(const Picture& picture, const Bank& bank, size_t columns) {
  constexpr size_t kLabelGuess = 24;
  const size_t room = columns > kLabelGuess ? columns - kLabelGuess : 1;
  const size_t most = bank.shared ? std::max<size_t>(room / (kLeastPanel + 3), 1) : 1;
  std::vector<TextGroup> groups;
  for (const Panel& panel : bank.panels) {
    if (!panel.is_there) continue;
    if (groups.empty() || groups.back().panels.size() == most) groups.emplace_back();
    groups.back().panels.push_back(&panel);
  }
  for (TextGroup& group : groups) group.widths = WidthsOf(picture, group.panels, room);
  return groups;
}

std::string GroupText(const Picture& picture, const TextGroup& group,
                      std::span<const Lettered> letters, const Paint& paint) {
  const std::vector<ByteRange> rows = TextRows(group.panels, kMostRows);
  size_t label = 0;
  for (const ByteRange& row : rows) label = std::max(label, RangeText(row).size());
  std::string names(label + 2, ' ');
  std::string ruler(label + 2, ' ');
  std::vector<std::vector<std::string>> grids;
  for (size_t p = 0; p < group.panels.size(); ++p) {
    const Panel& panel = *group.panels[p];
    const MethodAxis& axis = picture.methods[panel.method];
    const size_t width = group.widths[p];
    Letters own;
    for (const Lettered& each : letters) {
      if (each.panel == &panel) own.emplace(each.storage, each.letter);
    }
    for (const Storage& storage : panel.storages) {
      if (IsReserved(storage)) own.emplace(&storage, kReservedCell);
    }
    grids.push_back(TextGrid(panel, axis.Shown(), rows, width, own));
    names += "  " + Padded(Fitted(Quote(axis.name), width), width + 1);
    ruler += "  " + RulerText(axis, width) + " ";
  }
  std::string text = WithoutBlanks(names);
  for (size_t row = rows.size(); row-- > 0;) {
    std::string line = fmt::format("  {:>{}}", RangeText(rows[row]), label);
    for (size_t p = 0; p < grids.size(); ++p) {
      line += fmt::format(" |{}{}", CellsText(grids[p][row], paint),
                          BorderOf(*group.panels[p], rows[row]));
    }
    text += line + "\n";
  }
  return text + WithoutBlanks(ruler);
}

}  // namespace pteproof
