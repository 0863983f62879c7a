// Comma-separated values (RFC 4180): lines of fields, quoted where they need it.
#ifndef PTEPROOF_CLI_IO_CSV_H_
#define PTEPROOF_CLI_IO_CSV_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"

namespace pteproof {

struct CsvRecord {
  size_t line = 0;  // where it begins, from 1 on
  std::vector<std::string> fields;
};

struct CsvError {
  size_t line = 0;
  std::string why;
};

// All records but empty lines. Lines end in \n or \r\n. An error: a quote that does not end, or
// text around one.
[[nodiscard]] Result<std::vector<CsvRecord>, CsvError> ParseCsv(std::string_view text);

// One record, newline included.
[[nodiscard]] std::string CsvLine(std::span<const std::string> fields);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_CSV_H_
