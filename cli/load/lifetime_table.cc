#include "cli/load/lifetime_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "cli/io/quote.h"
#include "planner/placement/load.h"
#include "planner/placement/time_index.h"

namespace pteproof {
namespace {

class LifetimeReader {
 public:
  LifetimeReader(std::vector<CsvRecord> records, int64_t alignment, GivenOffsets given)
      : alignment_(alignment), given_(given) {
    table_.records = std::move(records);
  }

  Result<LifetimeTable, CsvError> Run() && {
    if (!ReadHeader()) return error_;
    for (const CsvRecord& record : std::span(table_.records).subspan(1)) {
      if (!ReadRow(record)) return error_;
    }
    JoinLives();
    for (const LifetimeBank& bank : table_.banks) {
      if (placement::Placeable(bank.items)) continue;
      return CsvError{table_.records.back().line, "the sizes are too large to be added"};
    }
    return std::move(table_);
  }

 private:
  bool Fail(size_t line, std::string why) {
    error_ = {line, std::move(why)};
    return false;
  }

  bool ReadHeader() {
    if (table_.records.empty()) return Fail(1, "there is no header; it names id,lower,upper,size");
    const CsvRecord& header = table_.records.front();
    for (size_t c = 0; c < header.fields.size(); ++c) {
      if (columns_.contains(header.fields[c])) {
        return Fail(header.line, fmt::format("column '{}' occurs twice", Quote(header.fields[c])));
      }
      columns_[header.fields[c]] = c;
    }
    for (const char* name : {"id", "lower", "upper", "size"}) {
      if (columns_.contains(name)) continue;
      return Fail(header.line, fmt::format("there is no column '{}'", name));
    }
    table_.offset_column = columns_.contains("offset") ? columns_["offset"] : header.fields.size();
    return true;
  }

  bool ReadRow(const CsvRecord& record) {
    const size_t expected = table_.records.front().fields.size();
    if (record.fields.size() != expected) {
      return Fail(record.line, fmt::format("there are {} fields, and {} in the header",
                                           record.fields.size(), expected));
    }
    const auto lower = Number(record, "lower");
    const auto upper = Number(record, "upper");
    const auto size = Number(record, "size");
    const auto alignment = Has(record, "alignment") ? Number(record, "alignment") : 1;
    if (!lower || !upper || !size || !alignment) return false;
    if (*lower > *upper) return Fail(record.line, "'lower' is above 'upper'");
    if (*size < 0) return Fail(record.line, "'size' is below 0");
    if (*alignment <= 0 || (*alignment & (*alignment - 1)) != 0) {
      return Fail(record.line, "'alignment' is not a power of two");
    }
    placement::Item<int64_t> item{
        .size = *size, .alignment = std::max(*alignment, alignment_), .live = {}};
    std::optional<int64_t> offset;
    if (Has(record, "offset")) {
      offset = Number(record, "offset");
      if (!offset) return false;
    }
    if (given_ == GivenOffsets::kFixed) {
      if (offset.value_or(0) < 0) return Fail(record.line, "'offset' is below 0");
      if (offset.value_or(0) % item.alignment != 0) {
        return Fail(record.line, "'offset' is not aligned");
      }
      item.fixed = offset;
    }
    if (*lower < *upper) item.live = {{*lower, *upper}};
    return Keep(record, std::move(item), offset);
  }

  bool Keep(const CsvRecord& record, placement::Item<int64_t> item, std::optional<int64_t> offset) {
    const auto& name = columns_.contains("bank") ? Field(record, "bank") : kNoBank;
    const auto [bank_at, new_bank] = bank_of_.try_emplace(name, table_.banks.size());
    if (new_bank) table_.banks.push_back({name, {}, {}, {}});
    LifetimeBank& bank = table_.banks[bank_at->second];
    const std::string& id = Field(record, "id");
    const auto [at, is_new] = item_of_.try_emplace({bank_at->second, id}, bank.items.size());
    table_.rows.push_back({bank_at->second, at->second});
    if (is_new) {
      bank.ids.push_back(id);
      bank.items.push_back(std::move(item));
      bank.offsets.push_back(offset);
      return true;
    }
    placement::Item<int64_t>& known = bank.items[at->second];
    if (known.size != item.size || known.alignment != item.alignment ||
        bank.offsets[at->second] != offset) {
      return Fail(record.line,
                  fmt::format("'{}' has another size, alignment or offset than above", Quote(id)));
    }
    known.live.insert(known.live.end(), item.live.begin(), item.live.end());
    return true;
  }

  // Once for each storage, whose rows may be all of the table.
  void JoinLives() {
    for (LifetimeBank& bank : table_.banks) {
      for (placement::Item<int64_t>& item : bank.items) {
        if (item.live.size() > 1) item.live = placement::UnionOf(item.live, {});
      }
    }
  }

  [[nodiscard]] const std::string& Field(const CsvRecord& record, const std::string& name) const {
    return record.fields[columns_.at(name)];
  }
  [[nodiscard]] bool Has(const CsvRecord& record, const std::string& name) const {
    return columns_.contains(name) && !Field(record, name).empty();
  }

  std::optional<int64_t> Number(const CsvRecord& record, const std::string& name) {
    const std::string& text = Field(record, name);
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    Fail(record.line,
         fmt::format("'{}' is '{}', which is not a number of 64 bits", name, Quote(text)));
    return std::nullopt;
  }

  inline static const std::string kNoBank;

  int64_t alignment_;
  GivenOffsets given_;
  LifetimeTable table_;
  CsvError error_;
  std::map<std::string, size_t> columns_;
  std::map<std::string, size_t> bank_of_;
  std::map<std::pair<size_t, std::string>, size_t> item_of_;
};

}  // namespace

Result<LifetimeTable, CsvError> ParseLifetimes(std::string_view text, int64_t alignment,
                                               GivenOffsets given) {
  auto records = ParseCsv(text);
  if (!records) return records.error();
  return LifetimeReader(std::move(records).value(), alignment, given).Run();
}

std::string WithOffsets(const LifetimeTable& table,
                        const std::vector<std::vector<int64_t>>& offsets) {
  std::string text;
  for (size_t r = 0; r < table.records.size(); ++r) {
    std::vector<std::string> fields = table.records[r].fields;
    if (table.offset_column == fields.size()) fields.emplace_back();
    if (r == 0) {
      fields[table.offset_column] = "offset";
    } else {
      const LifetimeTable::Row& row = table.rows[r - 1];
      fields[table.offset_column] = fmt::to_string(offsets[row.bank][row.item]);
    }
    text += CsvLine(fields);
  }
  return text;
}

}  // namespace pteproof
