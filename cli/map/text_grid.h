// A panel in letters: cells of points and bytes, each with the storage that fills most of it.
#ifndef PTEPROOF_CLI_MAP_TEXT_GRID_H_
#define PTEPROOF_CLI_MAP_TEXT_GRID_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "properties/picture/picture.h"
#include "pteproof/finding.h"

namespace pteproof {

inline constexpr char kFreeCell = '.';
inline constexpr char kPhantomCell = ':';
inline constexpr char kReservedCell = '-';
inline constexpr char kCrowdCell = '#';
inline constexpr char kClashCell = '!';
inline constexpr char kOutsideCell = ' ';  // beyond the bank's end

// Ranges of bytes for the rows of these panels, from low to high: the pieces between the ends of
// storages, or, where those are more than `most`, ranges of one size.
[[nodiscard]] std::vector<ByteRange> TextRows(std::span<const picture::Panel* const> panels,
                                              size_t most);

// Letters by storage of a panel; those without one are told apart no further.
using Letters = std::map<const picture::Storage*, char>;

// One string of `columns` characters for each row. O(lettered storages * cells + storages).
[[nodiscard]] std::vector<std::string> TextGrid(const picture::Panel& panel, const PointSpan& shown,
                                                std::span<const ByteRange> rows, size_t columns,
                                                const Letters& letters);

// The columns that instruction `i` begins at, of a time that ends at point `end`.
[[nodiscard]] size_t TextColumn(int64_t point, const PointSpan& shown, size_t columns);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_TEXT_GRID_H_
