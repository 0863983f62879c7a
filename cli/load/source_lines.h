// The lines of the source model that a program was made from: NAME.source.json beside NAME.pte,
// which the Python package writes at export (docs/reference/output.md). It explains only: nothing
// in it changes a verdict, and one that is wrong or of another program is not used.
#ifndef PTEPROOF_CLI_LOAD_SOURCE_LINES_H_
#define PTEPROOF_CLI_LOAD_SOURCE_LINES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof {

struct SourceLine {
  std::string file;
  int64_t line = 0;
  std::string text;     // of that line
  int32_t caller = -1;  // the line that called its function, in the list of callers; below 0: none
};

struct NamedSource {
  std::string name;  // in the model; empty: not known
  std::optional<SourceLine> line;
};

struct MethodSource {
  std::map<int32_t, SourceLine> instructions;
  std::map<int32_t, NamedSource> values;
};

struct SourceLines {
  std::map<std::string, MethodSource, std::less<>> methods;
  std::vector<SourceLine> callers;  // each behind its own
  std::string unused;               // why the file that lies there was not used
};

// Of one finding.
struct FindingSource {
  std::optional<SourceLine> line;       // of its instruction, else of the first value that has one
  std::vector<SourceLine> called_from;  // the lines above it, the nearest first
  std::vector<std::pair<int32_t, std::string>> names;  // of its values, in the model
};

// What lies beside `file`; `program` are the bytes of that, to which the other must belong.
[[nodiscard]] SourceLines ReadSourceLines(const std::string& file, Bytes program);

[[nodiscard]] FindingSource SourceOf(const Finding& finding, const SourceLines& lines);

// Of a value that instruction `made` makes (below 0: none does): its own line, else that of the
// instruction.
[[nodiscard]] NamedSource SourceOf(std::string_view method, int32_t value, int64_t made,
                                   const SourceLines& lines);

// The lines that called a line's function, the nearest first.
[[nodiscard]] std::vector<SourceLine> CallersOf(const SourceLine& line, const SourceLines& lines);

// "model.py:42  self.cache.copy_(x)"
[[nodiscard]] std::string TextOf(const SourceLine& line);

// Line and names, a text line each, with `callers` also those that called it; empty if none is
// known.
[[nodiscard]] std::string TextOf(const FindingSource& source, bool callers = false);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_SOURCE_LINES_H_
