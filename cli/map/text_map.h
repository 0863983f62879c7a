// The map of a file's memory plan for a terminal: a letter for each storage.
#ifndef PTEPROOF_CLI_MAP_TEXT_MAP_H_
#define PTEPROOF_CLI_MAP_TEXT_MAP_H_

#include <cstddef>
#include <string>

#include "cli/io/paint.h"
#include "cli/io/terminal.h"
#include "cli/load/file_report.h"
#include "properties/picture/picture.h"

namespace pteproof {

struct TextMapOptions {
  Paint paint;
  size_t columns = kPlainColumns;
};

// Rows are ranges of bytes, from high to low: where few storages begin and end, one for each piece
// between two ends, else all of one size. ASCII but for names.
[[nodiscard]] std::string TextMap(const FileReport& report, const picture::Picture& picture,
                                  const TextMapOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_TEXT_MAP_H_
