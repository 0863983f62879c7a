// Storages and their lifetimes as a table of text: what `inspect --lifetimes` prints and `place`
// reads and writes.
#ifndef PTEPROOF_CLI_LOAD_LIFETIME_TABLE_H_
#define PTEPROOF_CLI_LOAD_LIFETIME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/csv.h"
#include "planner/placement/item.h"
#include "pteproof/result.h"

namespace pteproof {

// The storages of one bank.
struct LifetimeBank {
  std::string name;  // empty where the table has no banks
  std::vector<std::string> ids;
  std::vector<placement::Item<int64_t>> items;
  std::vector<std::optional<int64_t>> offsets;  // per item, as the table gives them
};

// What the offsets of a table are: demands, or a layout, of which nothing is demanded yet.
enum class GivenOffsets : uint8_t { kFixed, kToVerify };

struct LifetimeTable {
  std::vector<CsvRecord> records;   // as read, the header first
  size_t offset_column = 0;         // where offsets stand, or the number of columns
  std::vector<LifetimeBank> banks;  // in the order of their first rows
  // Per row, that is per record but the header: which storage it is of.
  struct Row {
    size_t bank = 0;
    size_t item = 0;
  };
  std::vector<Row> rows;
};

// Reads columns by the header's names: id, lower, upper, size and, if they are there, alignment,
// offset (empty: none) and bank; others are kept. `alignment` is the least of every storage. A
// repeated id is a further lifetime of the same storage. Errors: what is not such a table, with the
// line; the storages of each bank can be placed (placement/load.h) and agree in all their rows.
// No item is fixed if the offsets are to be verified.
[[nodiscard]] Result<LifetimeTable, CsvError> ParseLifetimes(
    std::string_view text, int64_t alignment, GivenOffsets given = GivenOffsets::kFixed);

// The same rows with the offsets of each bank's items.
[[nodiscard]] std::string WithOffsets(const LifetimeTable& table,
                                      const std::vector<std::vector<int64_t>>& offsets);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LIFETIME_TABLE_H_
