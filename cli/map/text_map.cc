#include "cli/map/text_map.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/map/facts.h"
#include "cli/map/svg_findings.h"
#include "cli/map/text_grid.h"
#include "cli/map/text_letters.h"
#include "cli/map/units.h"
#include "cli/map/xml.h"
#include "cli/quote.h"
#include "cli/text_tables.h"
#include "properties/bank_waste.h"

namespace pteproof {
namespace {

using picture::Bank;
using picture::Kind;
using picture::MethodAxis;
using picture::Panel;
using picture::Picture;
using picture::Storage;

constexpr size_t kMostRows = 24;
constexpr size_t kLeastColumns = 12;  // of a panel

bool IsReserved(const Storage& storage) {
  return storage.kind == Kind::kReserved;
}

bool IsEvent(const picture::Mark& mark) {
  return mark.is_event;
}

// Panels side by side, over the same bytes.
struct Group {
  std::vector<const Panel*> panels;
  std::vector<size_t> widths;  // columns of each
  size_t label = 0;            // columns of the bytes on the left
};

std::string RangeText(const ByteRange& range) {
  return fmt::format("[{},{})", range.lo, range.hi);
}

// Spaces up to a width, whatever characters a name has.
std::string Padded(const std::string& text, size_t columns) {
  return text + std::string(columns - std::min(columns, TextColumns(text)), ' ');
}

// A few columns a point where there is room, else all that there are, shared by time.
std::vector<size_t> WidthsOf(const Picture& picture, const std::vector<const Panel*>& panels,
                             size_t room) {
  constexpr size_t kMostPerPoint = 4;
  size_t points = 0;
  for (const Panel* panel : panels) {
    points += static_cast<size_t>(picture.methods[panel->method].end() + 1);
  }
  const size_t borders = 3 * panels.size();
  const size_t inside = room > borders ? room - borders : 0;
  std::vector<size_t> widths;
  for (const Panel* panel : panels) {
    const auto own = static_cast<size_t>(picture.methods[panel->method].end() + 1);
    const size_t share = inside * own / points;
    widths.push_back(std::max(kLeastColumns, std::min(share, own * kMostPerPoint)));
  }
  return widths;
}

// Panels of a bank that fit beside each other.
std::vector<Group> GroupsOf(const Picture& picture, const Bank& bank, size_t columns) {
  constexpr size_t kLabelGuess = 24;
  const size_t room = columns > kLabelGuess ? columns - kLabelGuess : 1;
  const size_t most = bank.shared ? std::max<size_t>(room / (kLeastColumns + 3), 1) : 1;
  std::vector<Group> groups;
  for (const Panel& panel : bank.panels) {
    if (!panel.is_there) continue;
    if (groups.empty() || groups.back().panels.size() == most) groups.emplace_back();
    groups.back().panels.push_back(&panel);
  }
  for (Group& group : groups) group.widths = WidthsOf(picture, group.panels, room);
  return groups;
}

std::string UseText(const Picture& picture, const Panel& panel) {
  BankUse use;
  use.size = panel.size;
  use.load = panel.load;
  std::string text =
      fmt::format("  {}: {}, load {}, waste {}%", Quote(picture.methods[panel.method].name),
                  ExactBytesText(panel.size), BytesText(panel.load), WastePercentOf(use));
  if (panel.phantom > 0) text += ", phantom " + BytesText(panel.phantom);
  return text + "\n";
}

// Instructions below their columns, where there is room.
std::string RulerText(const MethodAxis& axis, size_t columns) {
  std::string ruler(columns, ' ');
  size_t free = 0;
  for (int64_t i = 0; i < axis.instructions(); ++i) {
    const size_t at = TextColumn(2 * i, axis.end(), columns);
    const std::string number = fmt::to_string(i);
    const bool is_round = columns > 3 * static_cast<size_t>(axis.instructions()) || i % 10 == 0;
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

// "<" on the right where the load ends.
char BorderOf(const Panel& panel, const ByteRange& row) {
  return panel.load > row.lo && panel.load <= row.hi ? '<' : '|';
}

std::string WithoutBlanks(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

std::string GroupText(const Picture& picture, const Group& group,
                      const std::vector<Lettered>& letters, const Paint& paint) {
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
    grids.push_back(TextGrid(panel, axis.end(), rows, width, own));
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

std::string LegendText(const Picture& picture, const std::vector<Lettered>& letters) {
  std::vector<std::vector<std::string>> rows;
  for (const Lettered& each : letters) {
    const MethodAxis& axis = picture.methods[each.panel->method];
    const Storage& storage = *each.storage;
    std::string lives;
    for (const PointSpan& span : storage.live) {
      lives += (lives.empty() ? "" : " ") + LifeText(span, axis);
    }
    rows.push_back({std::string(1, each.letter), Quote(LabelOf(storage, axis), 40),
                    std::string(KindWord(storage.kind)),
                    fmt::format("[{},{})", storage.lo, storage.hi), Quote(lives, 40),
                    TypeText(storage.parts.front())});
    if (picture.methods.size() > 1)
      rows.back().insert(rows.back().begin() + 1, Quote(axis.name, 40));
  }
  return rows.empty() ? "" : Aligned(rows, rows.front().size(), "  ");
}

std::string BankText(const Picture& picture, const Bank& bank, const TextMapOptions& options) {
  std::string text = fmt::format("\nbank {}", bank.id);
  if (picture.methods.size() > 1) {
    text += fmt::format(", {} under {}", bank.shared ? "one for all methods" : "one each",
                        Name(picture.policy));
  }
  text += "\n";
  for (const Group& group : GroupsOf(picture, bank, options.columns)) {
    const std::vector<Lettered> letters = LettersOf(group.panels);
    for (const Panel* panel : group.panels) text += UseText(picture, *panel);
    text += "\n" + GroupText(picture, group, letters, options.paint) + "\n";
    text += LegendText(picture, letters);
  }
  return text;
}

// What the cells mean that are no letters, as far as they occur.
std::string KeyText(const Picture& picture) {
  bool phantom = false;
  bool reserved = false;
  bool crowd = false;
  bool finding = false;
  for (const Bank& bank : picture.banks) {
    for (const Panel& panel : bank.panels) {
      phantom = phantom || panel.phantom > 0;
      reserved = reserved || std::ranges::any_of(panel.storages, IsReserved);
      crowd = crowd || panel.storages.size() > kMostLetters;
      finding = finding || std::ranges::any_of(panel.marks, IsEvent);
    }
  }
  std::string text = fmt::format("\n{} free   < load", kFreeCell);
  if (phantom) text += fmt::format("   {} phantom", kPhantomCell);
  if (reserved) text += fmt::format("   {} reserved, empty", kReservedCell);
  if (crowd) text += fmt::format("   {} smaller ones", kCrowdCell);
  if (finding) text += fmt::format("   {} finding", kClashCell);
  return text + "\n";
}

std::string FindingLines(const FileReport& report, const Picture& picture, const Paint& paint) {
  constexpr int kMostLines = 24;
  const std::vector<int> numbers = FindingNumbers(report, picture);
  std::string text;
  int listed = 0;
  for (size_t f = 0; f < numbers.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    if (numbers[f] == 0 || !Concerns(finding, picture) || listed++ >= kMostLines) continue;
    text += fmt::format("{} {}\n", paint.Word(SeverityWord(finding)), Headline(finding, "  "));
  }
  if (listed > kMostLines) text += fmt::format("and {} more\n", listed - kMostLines);
  if (const int elsewhere = FindingsElsewhere(report, picture); elsewhere > 0) {
    text += fmt::format("{} more under other loaders than {}\n", elsewhere, Name(picture.policy));
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

size_t TerminalColumns() {
  constexpr size_t kLeast = 40;
  constexpr size_t kMost = 400;
  winsize size{};
  const bool is_terminal =
      isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? std::clamp<size_t>(size.ws_col, kLeast, kMost) : kTextMapColumns;
}

std::string TextMap(const FileReport& report, const Picture& picture,
                    const TextMapOptions& options) {
  std::string banks;
  for (const Bank& bank : picture.banks) banks += BankText(picture, bank, options);
  if (banks.empty()) banks = "\nNo method has planned memory.\n";
  return fmt::format("{}: {}\n{}{}{}", Quote(report.file, kLongestLine),
                     options.paint.Word(VerdictWord(report)), banks, KeyText(picture),
                     FindingLines(report, picture, options.paint));
}

}  // namespace pteproof
