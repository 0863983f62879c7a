#include "cli/map/crowd.h"

#include <algorithm>

namespace pteproof {

Crowd::Crowd(size_t columns, size_t rows) : columns_(columns), rows_(rows) {
  for (auto& changes : changes_) changes.resize((columns + 1) * (rows + 1));
}

void Crowd::Add(picture::Kind kind, CellRange cells) {
  cells.column_end = std::min(cells.column_end, columns_);
  cells.row_end = std::min(cells.row_end, rows_);
  if (cells.column >= cells.column_end || cells.row >= cells.row_end) return;
  auto& changes = changes_[static_cast<size_t>(kind)];
  const size_t stride = columns_ + 1;
  ++changes[cells.row * stride + cells.column];
  --changes[cells.row * stride + cells.column_end];
  --changes[cells.row_end * stride + cells.column];
  ++changes[cells.row_end * stride + cells.column_end];
}

std::vector<int8_t> Crowd::Cells() const {
  std::vector<int8_t> kinds(columns_ * rows_, -1);
  std::vector<int32_t> most(columns_ * rows_, 0);
  std::vector<int32_t> column_sums(columns_);
  for (size_t kind = 0; kind < changes_.size(); ++kind) {
    std::ranges::fill(column_sums, 0);
    for (size_t row = 0; row < rows_; ++row) {
      int32_t count = 0;
      for (size_t column = 0; column < columns_; ++column) {
        column_sums[column] += changes_[kind][row * (columns_ + 1) + column];
        count += column_sums[column];
        const size_t cell = row * columns_ + column;
        if (count <= most[cell]) continue;
        most[cell] = count;
        kinds[cell] = static_cast<int8_t>(kind);
      }
    }
  }
  return kinds;
}

}  // namespace pteproof
