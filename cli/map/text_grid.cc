#include "cli/map/text_grid.h"

#include <algorithm>
#include <set>

#include "cli/map/crowd.h"

namespace pteproof {
namespace {

using picture::Kind;
using picture::Panel;
using picture::Storage;

// Where storages begin and end, and banks; stops beyond `most`.
std::set<uint64_t> EndsOf(std::span<const Panel* const> panels, size_t most) {
  std::set<uint64_t> ends = {0};
  for (const Panel* panel : panels) {
    ends.insert(panel->use.size);
    for (const ByteRange& range : panel->use.phantoms) ends.insert({range.lo, range.hi});
    for (const Storage& storage : panel->storages) {
      ends.insert({storage.lo, storage.hi});
      if (ends.size() > most) return ends;
    }
  }
  return ends;
}

uint64_t HighestEnd(std::span<const Panel* const> panels) {
  uint64_t highest = 1;
  for (const Panel* panel : panels) {
    highest = std::max(highest, panel->use.size);
    for (const Storage& storage : panel->storages) highest = std::max(highest, storage.hi);
  }
  return highest;
}

double Common(double a_lo, double a_hi, double b_lo, double b_hi) {
  return std::max(0.0, std::min(a_hi, b_hi) - std::max(a_lo, b_lo));
}

class GridMaker {
 public:
  GridMaker(const Panel& panel, const PointSpan& shown, std::span<const ByteRange> rows,
            size_t columns)
      : panel_(panel),
        shown_(shown),
        rows_(rows),
        columns_(columns),
        lines_(rows.size(), std::string(columns, kFreeCell)),
        filled_(rows.size() * columns, 0.0) {}

  std::vector<std::string> Run(const Letters& letters) && {
    for (const ByteRange& phantom : panel_.use.phantoms) {
      Each(shown_, phantom.lo, phantom.hi,
           [&](size_t row, size_t column, double) { lines_[row][column] = kPhantomCell; });
    }
    DrawCrowd(letters);
    for (const auto& [storage, letter] : letters) DrawLettered(*storage, letter);
    for (const picture::Mark& mark : panel_.marks) {
      if (!mark.is_event) continue;
      Each(mark.at, mark.lo, mark.hi,
           [&](size_t row, size_t column, double) { lines_[row][column] = kClashCell; });
    }
    for (size_t row = 0; row < rows_.size(); ++row) LeaveOutside(row);
    return std::move(lines_);
  }

 private:
  // Calls `use` with the cells that a piece of time and bytes meets, and how much of it is there.
  template <class Use>
  void Each(const PointSpan& span, uint64_t lo, uint64_t hi, Use use) {
    const double points =
        static_cast<double>(shown_.upper - shown_.lower) / static_cast<double>(columns_);
    const auto from = static_cast<double>(span.lower - shown_.lower);
    const auto to = static_cast<double>(span.upper - shown_.lower);
    const auto first_row = std::ranges::upper_bound(rows_, lo, {}, &ByteRange::hi) - rows_.begin();
    for (auto row = static_cast<size_t>(first_row); row < rows_.size(); ++row) {
      if (rows_[row].lo >= hi) return;
      const auto bytes =
          static_cast<double>(std::min(hi, rows_[row].hi) - std::max(lo, rows_[row].lo));
      for (size_t c = TextColumn(span.lower, shown_, columns_); c < columns_; ++c) {
        const double at = points * static_cast<double>(c);
        const double common = Common(from, to, at, at + points);
        if (at >= to) break;
        if (common > 0) use(row, c, common * bytes);
      }
    }
  }

  void DrawLettered(const Storage& storage, char letter) {
    const bool is_empty = storage.kind == Kind::kReserved;
    for (const PointSpan& span : storage.live) {
      Each(span, storage.lo, storage.hi, [&](size_t row, size_t column, double amount) {
        double& filled = filled_[row * columns_ + column];
        if (is_empty ? filled > 0 : amount <= filled) return;
        if (!is_empty) filled = amount;
        lines_[row][column] = letter;
      });
    }
  }

  void DrawCrowd(const Letters& letters) {
    Crowd crowd(columns_, rows_.size());
    for (const Storage& storage : panel_.storages) {
      if (letters.contains(&storage)) continue;
      const auto first = std::ranges::upper_bound(rows_, storage.lo, {}, &ByteRange::hi);
      const auto last = std::ranges::lower_bound(rows_, storage.hi, {}, &ByteRange::lo);
      for (const PointSpan& span : storage.live) {
        if (span.upper <= shown_.lower || span.lower >= shown_.upper) continue;
        crowd.Add(storage.kind, {TextColumn(span.lower, shown_, columns_),
                                 TextColumn(span.upper - 1, shown_, columns_) + 1,
                                 static_cast<size_t>(first - rows_.begin()),
                                 static_cast<size_t>(last - rows_.begin())});
      }
    }
    const std::vector<int8_t> kinds = crowd.Cells();
    for (size_t cell = 0; cell < kinds.size(); ++cell) {
      if (kinds[cell] >= 0) lines_[cell / columns_][cell % columns_] = kCrowdCell;
    }
  }

  void LeaveOutside(size_t row) {
    if (rows_[row].lo < panel_.use.size) return;
    std::ranges::replace(lines_[row], kFreeCell, kOutsideCell);
  }

  const Panel& panel_;
  PointSpan shown_;
  std::span<const ByteRange> rows_;
  size_t columns_;
  std::vector<std::string> lines_;
  std::vector<double> filled_;  // per cell: bytes times points of the storage in it
};

}  // namespace

std::vector<ByteRange> TextRows(std::span<const Panel* const> panels, size_t most) {
  const std::set<uint64_t> ends = EndsOf(panels, most + 1);
  std::vector<ByteRange> rows;
  if (ends.size() <= most + 1) {
    for (auto it = std::next(ends.begin()); it != ends.end(); ++it) {
      rows.push_back({*std::prev(it), *it});
    }
    return rows;
  }
  const uint64_t highest = HighestEnd(panels);
  const uint64_t step = highest / most + (highest % most != 0 ? 1 : 0);
  for (uint64_t at = 0; at < highest;) {
    const uint64_t next = highest - at < step ? highest : at + step;
    rows.push_back({at, next});
    at = next;
  }
  return rows;
}

std::vector<std::string> TextGrid(const Panel& panel, const PointSpan& shown,
                                  std::span<const ByteRange> rows, size_t columns,
                                  const Letters& letters) {
  return GridMaker(panel, shown, rows, columns).Run(letters);
}

size_t TextColumn(int64_t point, const PointSpan& shown, size_t columns) {
  const int64_t within = std::clamp(point, shown.lower, shown.upper) - shown.lower;
  const double share = static_cast<double>(within) / static_cast<double>(shown.upper - shown.lower);
  return static_cast<size_t>(share * static_cast<double>(columns));
}

}  // namespace pteproof
