// Storages that are too many to be drawn one by one: what kind of them covers each cell of a grid.
#ifndef PTEPROOF_CLI_MAP_CROWD_H_
#define PTEPROOF_CLI_MAP_CROWD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/picture/picture.h"

namespace pteproof {

// Cells [column, column_end) x [row, row_end).
struct CellRange {
  size_t column = 0;
  size_t column_end = 0;
  size_t row = 0;
  size_t row_end = 0;
};

class Crowd {
 public:
  Crowd(size_t columns, size_t rows);

  // O(1). Cells out of the grid are left out.
  void Add(picture::Kind kind, CellRange cells);

  // By row, then column: the kind that covers a cell most often, or -1. O(cells).
  [[nodiscard]] std::vector<int8_t> Cells() const;

 private:
  size_t columns_;
  size_t rows_;
  // Per kind and cell: by how much the count changes from the cell before, in both directions.
  std::array<std::vector<int32_t>, picture::kKindCount> changes_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_CROWD_H_
