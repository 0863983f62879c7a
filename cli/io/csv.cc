#include "cli/io/csv.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace pteproof {
namespace {

class CsvParser {
 public:
  explicit CsvParser(std::string_view text) : text_(text) {}

  Result<std::vector<CsvRecord>, CsvError> Run() && {
    std::vector<CsvRecord> records;
    while (at_ < text_.size()) {
      CsvRecord record{line_, {}};
      if (auto error = ParseRecord(record)) return *std::move(error);
      const bool empty = record.fields.size() == 1 && record.fields.front().empty();
      if (!empty) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  std::optional<CsvError> ParseRecord(CsvRecord& record) {
    while (true) {
      std::string field;
      if (Next() == '"') {
        if (auto error = ParseQuoted(field)) return error;
      } else {
        while (!AtEndOfField()) field += text_[at_++];
      }
      record.fields.push_back(std::move(field));
      if (!AtEndOfField()) return CsvError{line_, "there is text behind a quoted field"};
      if (Next() == ',') {
        ++at_;
        continue;
      }
      SkipLineEnd();
      return std::nullopt;
    }
  }

  std::optional<CsvError> ParseQuoted(std::string& field) {
    const size_t begin = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') {
        if (text_[at_] == '\n') ++line_;
        field += text_[at_];
        continue;
      }
      ++at_;
      if (Next() != '"') return std::nullopt;
      field += '"';
    }
    return CsvError{begin, "a quoted field does not end"};
  }

  // '\n' at the end of the text.
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  [[nodiscard]] bool AtEndOfField() const {
    const char c = Next();
    return c == ',' || c == '\n' || (c == '\r' && text_.substr(at_, 2) == "\r\n");
  }
  void SkipLineEnd() {
    if (Next() == '\r') ++at_;
    if (at_ < text_.size()) ++at_;
    ++line_;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
};

}  // namespace

Result<std::vector<CsvRecord>, CsvError> ParseCsv(std::string_view text) {
  return CsvParser(text).Run();
}

std::string CsvLine(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != fields.data()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

}  // namespace pteproof
