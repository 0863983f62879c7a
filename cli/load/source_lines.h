// The lines of the source model that a program's findings are about: NAME.source.json beside
// NAME.pte, which the Python package writes at export (docs/reference/output.md). It explains only:
// nothing in it changes a verdict, and one that is wrong or of another program is not used.
#ifndef PTEPROOF_CLI_LOAD_SOURCE_LINES_H_
#define PTEPROOF_CLI_LOAD_SOURCE_LINES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof {

struct SourceLine {
  std::string file;
  int64_t line = 0;
  std::string text;  // of that line
};

// Of one finding.
struct FindingSource {
  std::optional<SourceLine> line;  // of its instruction, else of the first value that has one
  std::vector<std::pair<int32_t, std::string>> names;  // of its values, in the model
};

struct SourceLines {
  std::vector<FindingSource> of_findings;  // as the findings; empty: none are known
  std::string unused;                      // why the file that lies there was not used
};

// `program` are the bytes of the program file, to which the other must belong.
[[nodiscard]] SourceLines SourceLinesOf(const std::string& file, Bytes program,
                                        std::span<const Finding> findings);

// "model.py:42  self.cache.copy_(x)"
[[nodiscard]] std::string TextOf(const SourceLine& line);

// Line and names, a text line each; empty if neither is known.
[[nodiscard]] std::string TextOf(const FindingSource& source);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_SOURCE_LINES_H_
